import type { EnrichmentContent, SummaryField, VerdictRule } from './service.ts';

/** A service as its vendor documents it, to begin with. */
export interface EnrichmentPreset extends Pick<
  EnrichmentContent,
  'apiBody' | 'apiHeaders' | 'apiMethod' | 'apiTemplate' | 'entityTypes' | 'linkTemplate' | 'name' | 'perMinute'
> {
  readonly key: string;
  readonly providerKey: string;
  readonly summaryFields: readonly SummaryField[];
  /** What its answers could be taken to mean; a service has these only where an administrator wants them. */
  readonly suggestedVerdicts: readonly VerdictRule[];
  /** What an administrator should know before it is saved. */
  readonly notes: string;
}

const get = { apiMethod: 'GET', apiBody: null, perMinute: null, summaryFields: [], suggestedVerdicts: [] } as const;
const otx = {
  ...get,
  providerKey: 'otx',
  apiHeaders: { 'X-OTX-API-KEY': '{token}' },
  summaryFields: [
    { label: 'pulses', pointer: '/pulse_info/count' },
    { label: 'country', pointer: '/country_name' },
    { label: 'asn', pointer: '/asn' },
    { label: 'malware_families', pointer: '/pulse_info/related/other/malware_families' },
  ],
  suggestedVerdicts: [{ verdict: 'suspicious', pointer: '/pulse_info/count', atLeast: 1 }],
  notes: 'A pulse is a report of its community: to be named in one is a hint, not a verdict.',
} as const;
const urlhaus = {
  ...get,
  providerKey: 'urlhaus',
  apiMethod: 'POST',
  apiHeaders: { 'Auth-Key': '{token}' },
  notes: 'The key is that of an account at abuse.ch.',
} as const;

/** Addresses, headers and fields are those of the vendors' documentation. */
export const enrichmentPresets: readonly EnrichmentPreset[] = [
  {
    ...get,
    key: 'virustotal',
    name: 'VirusTotal',
    providerKey: 'virustotal',
    entityTypes: ['ip_address', 'domain', 'hash'],
    linkTemplate: 'https://www.virustotal.com/gui/search/{value}',
    apiTemplate: 'https://www.virustotal.com/api/v3/search?query={value}',
    apiHeaders: { 'x-apikey': '{token}' },
    perMinute: 4,
    notes: 'The public key allows 4 requests a minute and 500 a day, and no use in a business.',
  },
  {
    ...get,
    key: 'abuseipdb',
    name: 'AbuseIPDB',
    providerKey: 'abuseipdb',
    entityTypes: ['ip_address'],
    linkTemplate: 'https://www.abuseipdb.com/check/{value}',
    apiTemplate: 'https://api.abuseipdb.com/api/v2/check?ipAddress={value}&maxAgeInDays=90',
    apiHeaders: { Key: '{token}' },
    notes: 'A free key allows 1,000 checks a day.',
  },
  {
    ...get,
    key: 'greynoise',
    name: 'GreyNoise',
    providerKey: 'greynoise',
    entityTypes: ['ip_address'],
    linkTemplate: 'https://viz.greynoise.io/ip/{value}',
    apiTemplate: 'https://api.greynoise.io/v3/community/{value}',
    apiHeaders: { key: '{token}' },
    summaryFields: [
      { label: 'classification', pointer: '/classification' },
      { label: 'name', pointer: '/name' },
      { label: 'scans_the_internet', pointer: '/noise' },
      { label: 'common_service', pointer: '/riot' },
      { label: 'last_seen', pointer: '/last_seen' },
    ],
    suggestedVerdicts: [
      { verdict: 'malicious', pointer: '/classification', is: 'malicious' },
      { verdict: 'suspicious', pointer: '/classification', is: 'suspicious' },
      { verdict: 'unknown', pointer: '/classification', is: 'unknown' },
      { verdict: 'clean', pointer: '/classification', is: 'benign' },
    ],
    notes: 'It answers 404 for an address that it has not seen.',
  },
  {
    ...get,
    key: 'shodan',
    name: 'Shodan',
    providerKey: 'shodan',
    entityTypes: ['ip_address'],
    linkTemplate: 'https://www.shodan.io/host/{value}',
    apiTemplate: 'https://api.shodan.io/shodan/host/{value}?key={token}&minify=true',
    apiHeaders: {},
    perMinute: 60,
    notes: 'The key stands in the address, since its service takes no other.',
  },
  {
    ...otx,
    key: 'otx-addresses',
    name: 'OTX, addresses',
    entityTypes: ['ip_address'],
    linkTemplate: 'https://otx.alienvault.com/indicator/ip/{value}',
    apiTemplate: 'https://otx.alienvault.com/api/v1/indicators/IPv4/{value}/general',
  },
  {
    ...otx,
    key: 'otx-domains',
    name: 'OTX, domains',
    entityTypes: ['domain'],
    linkTemplate: 'https://otx.alienvault.com/indicator/domain/{value}',
    apiTemplate: 'https://otx.alienvault.com/api/v1/indicators/domain/{value}/general',
  },
  {
    ...otx,
    key: 'otx-hashes',
    name: 'OTX, hashes',
    entityTypes: ['hash'],
    linkTemplate: 'https://otx.alienvault.com/indicator/file/{value}',
    apiTemplate: 'https://otx.alienvault.com/api/v1/indicators/file/{value}/general',
  },
  {
    ...urlhaus,
    key: 'urlhaus-hosts',
    name: 'URLhaus, hosts',
    entityTypes: ['ip_address', 'domain'],
    linkTemplate: 'https://urlhaus.abuse.ch/host/{value}/',
    apiTemplate: 'https://urlhaus-api.abuse.ch/v1/host/',
    apiBody: 'host={value}',
    summaryFields: [
      { label: 'status', pointer: '/query_status' },
      { label: 'urls', pointer: '/url_count' },
      { label: 'first_seen', pointer: '/firstseen' },
      { label: 'spamhaus', pointer: '/blacklists/spamhaus_dbl' },
      { label: 'surbl', pointer: '/blacklists/surbl' },
    ],
    suggestedVerdicts: [{ verdict: 'malicious', pointer: '/url_count', atLeast: 1 }],
  },
  {
    ...urlhaus,
    key: 'urlhaus-payloads',
    name: 'URLhaus, payloads',
    entityTypes: ['hash'],
    linkTemplate: 'https://urlhaus.abuse.ch/browse.php?search={value}',
    apiTemplate: 'https://urlhaus-api.abuse.ch/v1/payload/',
    apiBody: 'sha256_hash={value}',
    summaryFields: [
      { label: 'status', pointer: '/query_status' },
      { label: 'signature', pointer: '/signature' },
      { label: 'file_type', pointer: '/file_type' },
      { label: 'urls', pointer: '/url_count' },
      { label: 'first_seen', pointer: '/firstseen' },
    ],
    suggestedVerdicts: [{ verdict: 'malicious', pointer: '/query_status', is: 'ok' }],
    notes: 'It knows SHA-256 alone by this address. The key is that of an account at abuse.ch.',
  },
  {
    ...get,
    key: 'urlscan',
    name: 'urlscan.io',
    providerKey: 'urlscan',
    entityTypes: ['ip_address', 'domain', 'hash'],
    linkTemplate: 'https://urlscan.io/search/#{value}',
    apiTemplate: 'https://urlscan.io/api/v1/search/?q=%22{value}%22&size=20',
    apiHeaders: { 'API-Key': '{token}' },
    notes: 'It looks through scans that others have made; nothing is scanned.',
  },
  {
    ...get,
    key: 'misp',
    name: 'MISP',
    providerKey: 'misp',
    entityTypes: ['ip_address', 'domain', 'hash'],
    linkTemplate: 'https://misp.example.org/attributes/index?value={value}',
    apiTemplate: 'https://misp.example.org/attributes/restSearch',
    apiMethod: 'POST',
    apiBody: '{"returnFormat":"json","value":"{value}","limit":20,"includeEventTags":true}',
    apiHeaders: { Authorization: '{token}' },
    summaryFields: [
      { label: 'attributes', pointer: '/response/Attribute' },
      { label: 'category', pointer: '/response/Attribute/0/category' },
      { label: 'type', pointer: '/response/Attribute/0/type' },
      { label: 'event', pointer: '/response/Attribute/0/Event/info' },
      { label: 'comment', pointer: '/response/Attribute/0/comment' },
    ],
    suggestedVerdicts: [{ verdict: 'suspicious', pointer: '/response/Attribute', atLeast: 1 }],
    notes:
      'Put the address of your own server in both templates. One in a private network needs ENRICHMENT_REQUIRE_PUBLIC_HOST=false.',
  },
  {
    ...get,
    key: 'opencti',
    name: 'OpenCTI',
    providerKey: 'opencti',
    entityTypes: ['ip_address', 'domain', 'hash'],
    linkTemplate: 'https://opencti.example.org/dashboard/search/knowledge/{value}',
    apiTemplate: 'https://opencti.example.org/graphql',
    apiMethod: 'POST',
    apiBody:
      '{"query":"query Search($s: String) { stixCyberObservables(search: $s, first: 5) { pageInfo { globalCount } edges { node { entity_type observable_value x_opencti_score objectLabel { value } indicators { pageInfo { globalCount } } } } } }","variables":{"s":"\\"{value}\\""}}',
    apiHeaders: { Authorization: 'Bearer {token}' },
    summaryFields: [
      { label: 'observables', pointer: '/data/stixCyberObservables/pageInfo/globalCount' },
      { label: 'score', pointer: '/data/stixCyberObservables/edges/0/node/x_opencti_score' },
      { label: 'kind', pointer: '/data/stixCyberObservables/edges/0/node/entity_type' },
      { label: 'label', pointer: '/data/stixCyberObservables/edges/0/node/objectLabel/0/value' },
      {
        label: 'indicators',
        pointer: '/data/stixCyberObservables/edges/0/node/indicators/pageInfo/globalCount',
      },
    ],
    suggestedVerdicts: [
      { verdict: 'malicious', pointer: '/data/stixCyberObservables/edges/0/node/x_opencti_score', atLeast: 75 },
      { verdict: 'suspicious', pointer: '/data/stixCyberObservables/edges/0/node/x_opencti_score', atLeast: 50 },
    ],
    notes:
      'Put the address of your own server in both templates. One in a private network needs ENRICHMENT_REQUIRE_PUBLIC_HOST=false.',
  },
];
