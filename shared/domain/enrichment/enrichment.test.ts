import { describe, expect, it } from 'vitest';
import { filledRequest, filledUrl, keptHeaders } from './fill-template.ts';
import { enrichmentPresets, type EnrichmentPreset } from './presets.ts';
import { enrichmentSummary, enrichmentVerdict } from './read-answer.ts';

const address = { type: 'ip_address', value: '203.0.113.9', token: 'k-1' } as const;

function preset(key: string): EnrichmentPreset {
  return enrichmentPresets.find((one) => one.key === key)!;
}

/** Answers in the shape that each vendor documents; values are made up. */
const answers: Readonly<
  Record<
    string,
    { readonly answer: unknown; readonly summary: object; readonly verdict: string; readonly suggested: string }
  >
> = {
  virustotal: {
    answer: {
      data: [
        {
          id: '203.0.113.9',
          type: 'ip_address',
          attributes: {
            last_analysis_stats: { malicious: 5, suspicious: 1, undetected: 20, harmless: 66, timeout: 0 },
            reputation: -11,
            tags: ['vpn'],
            as_owner: 'Example',
          },
        },
      ],
    },
    summary: { detections: '5 / 92', malicious: 5, suspicious: 1, tags: ['vpn'], reputation: -11 },
    verdict: 'malicious',
    suggested: 'malicious',
  },
  abuseipdb: {
    answer: {
      data: {
        ipAddress: '203.0.113.9',
        isPublic: true,
        abuseConfidenceScore: 30,
        countryCode: 'NL',
        isp: 'Example Hosting',
        totalReports: 7,
        lastReportedAt: '2026-08-01T10:00:00+00:00',
      },
    },
    summary: { abuse_score: 30, reports: 7, country: 'NL', isp: 'Example Hosting' },
    verdict: 'suspicious',
    suggested: 'suspicious',
  },
  greynoise: {
    answer: {
      ip: '203.0.113.9',
      noise: true,
      riot: false,
      classification: 'malicious',
      name: 'unknown',
      link: 'https://viz.greynoise.io/ip/203.0.113.9',
      last_seen: '2026-08-01',
      message: 'Success',
    },
    summary: {
      classification: 'malicious',
      name: 'unknown',
      scans_the_internet: 'yes',
      common_service: 'no',
      last_seen: '2026-08-01',
    },
    verdict: 'none',
    suggested: 'malicious',
  },
  shodan: {
    answer: {
      ip_str: '203.0.113.9',
      ports: [22, 443],
      org: 'Example Hosting',
      os: null,
      hostnames: ['a.example', 'b.example'],
      isp: 'Example',
    },
    summary: { open_ports: [22, 443], org: 'Example Hosting', hostnames: ['a.example', 'b.example'] },
    verdict: 'none',
    suggested: 'none',
  },
  'otx-addresses': {
    answer: {
      indicator: '203.0.113.9',
      type: 'IPv4',
      country_name: 'Netherlands',
      asn: 'AS64500 Example',
      pulse_info: { count: 3, pulses: [], related: { other: { malware_families: ['Trickbot'] } } },
    },
    summary: { pulses: 3, country: 'Netherlands', asn: 'AS64500 Example', malware_families: ['Trickbot'] },
    verdict: 'none',
    suggested: 'suspicious',
  },
  'otx-domains': {
    answer: { indicator: 'a.example', type: 'domain', pulse_info: { count: 0, pulses: [] } },
    summary: { pulses: 0 },
    verdict: 'none',
    suggested: 'none',
  },
  'otx-hashes': {
    answer: { indicator: 'd41d8', type: 'md5', pulse_info: { count: 1 } },
    summary: { pulses: 1 },
    verdict: 'none',
    suggested: 'suspicious',
  },
  'urlhaus-hosts': {
    answer: {
      query_status: 'ok',
      host: 'a.example',
      firstseen: '2026-07-01 10:00:00 UTC',
      url_count: '12',
      blacklists: { spamhaus_dbl: 'abused_legit_malware', surbl: 'not listed' },
      urls: [{ url_status: 'online' }],
    },
    summary: {
      status: 'ok',
      urls: '12',
      first_seen: '2026-07-01 10:00:00 UTC',
      spamhaus: 'abused_legit_malware',
      surbl: 'not listed',
    },
    verdict: 'none',
    suggested: 'malicious',
  },
  'urlhaus-payloads': {
    answer: { query_status: 'no_results' },
    summary: { status: 'no_results' },
    verdict: 'none',
    suggested: 'none',
  },
  urlscan: {
    answer: {
      total: 2,
      has_more: false,
      took: 9,
      results: [{ task: { url: 'http://a.example/' }, page: { url: 'https://a.example/', ip: '203.0.113.9' } }],
    },
    summary: { total_results: 2, top_url: 'https://a.example/' },
    verdict: 'none',
    suggested: 'none',
  },
  misp: {
    answer: {
      response: {
        Attribute: [
          {
            id: '7',
            type: 'ip-dst',
            category: 'Network activity',
            value: '203.0.113.9',
            to_ids: true,
            comment: 'C2',
            Event: { id: '3', info: 'Phish wave' },
          },
        ],
      },
    },
    summary: { attributes: 1, category: 'Network activity', type: 'ip-dst', event: 'Phish wave', comment: 'C2' },
    verdict: 'none',
    suggested: 'suspicious',
  },
  opencti: {
    answer: {
      data: {
        stixCyberObservables: {
          pageInfo: { globalCount: 1 },
          edges: [
            {
              node: {
                entity_type: 'IPv4-Addr',
                observable_value: '203.0.113.9',
                x_opencti_score: 80,
                objectLabel: [{ value: 'c2' }],
                indicators: { pageInfo: { globalCount: 2 } },
              },
            },
          ],
        },
      },
    },
    summary: { observables: 1, score: 80, kind: 'IPv4-Addr', label: 'c2', indicators: 2 },
    verdict: 'none',
    suggested: 'malicious',
  },
};

describe('presets', () => {
  it('each have an answer here', () => {
    expect(Object.keys(answers).toSorted()).toEqual(enrichmentPresets.map(({ key }) => key).toSorted());
  });

  it.each(Object.entries(answers))('%s', (key, { answer, summary, verdict, suggested }) => {
    const { providerKey, summaryFields, suggestedVerdicts } = preset(key);
    expect(enrichmentSummary({ providerKey, summaryFields, verdictRules: [] }, answer)).toEqual(summary);
    expect(enrichmentVerdict({ providerKey, summaryFields, verdictRules: [] }, answer)).toBe(verdict);
    expect(enrichmentVerdict({ providerKey, summaryFields, verdictRules: suggestedVerdicts }, answer)).toBe(suggested);
  });

  it.each(enrichmentPresets.map((one) => [one.key, one] as const))('%s has good requests', (_, one) => {
    const sent = filledRequest(one, address)!;
    expect(URL.canParse(sent.url)).toBe(true);
    expect(`${sent.url} ${JSON.stringify(sent.headers)} ${sent.body ?? ''}`).toMatch(/k-1/);
    expect(`${sent.url} ${sent.body ?? ''}`).toContain('203.0.113.9');
    if (sent.headers['content-type'] === 'application/json')
      expect(() => JSON.parse(sent.body!) as unknown).not.toThrow();
  });
});

describe('verdicts of VirusTotal and AbuseIPDB', () => {
  const none = { summaryFields: [], verdictRules: [] };
  it.each([
    [{ malicious: 4, harmless: 1 }, 'malicious'],
    [{ malicious: 3 }, 'suspicious'],
    [{ malicious: 0, suspicious: 1 }, 'suspicious'],
    [{ malicious: 0, suspicious: 0, harmless: 70 }, 'clean'],
    [{}, 'none'],
    [null, 'none'],
  ])('%j is %s', (stats, verdict) => {
    const answer = { data: { attributes: { last_analysis_stats: stats } } };
    expect(enrichmentVerdict({ providerKey: 'virustotal', ...none }, answer)).toBe(verdict);
  });
  it.each([
    [50, 'malicious'],
    [49, 'suspicious'],
    [25, 'suspicious'],
    [24, 'clean'],
    [undefined, 'none'],
  ])('a score of %s is %s', (abuseConfidenceScore, verdict) => {
    expect(enrichmentVerdict({ providerKey: 'abuseipdb', ...none }, { data: { abuseConfidenceScore } })).toBe(verdict);
  });
});

describe('rules of a verdict', () => {
  const rules = (...verdictRules: Parameters<typeof enrichmentVerdict>[0]['verdictRules']) => ({
    providerKey: 'own',
    summaryFields: [],
    verdictRules,
  });
  it('take the strongest that is met, and none where none is', () => {
    const of = rules(
      { verdict: 'clean', pointer: '/seen' },
      { verdict: 'malicious', pointer: '/hits', atLeast: 2 },
      { verdict: 'suspicious', pointer: '/a~1b/~0c', is: 'Yes' },
    );
    expect(enrichmentVerdict(of, { seen: 0, hits: ['x', 'y'] })).toBe('malicious');
    expect(enrichmentVerdict(of, { seen: 0, hits: '1', 'a/b': { '~c': 'yes' } })).toBe('suspicious');
    expect(enrichmentVerdict(of, { seen: false })).toBe('clean');
    expect(enrichmentVerdict(of, { hits: '' })).toBe('none');
    expect(enrichmentVerdict(of, null)).toBe('none');
  });
  it('reach nothing that an answer does not have of its own', () => {
    expect(enrichmentVerdict(rules({ verdict: 'malicious', pointer: '/constructor/name' }), {})).toBe('none');
  });
});

describe('templates', () => {
  it('hold a value as it is, wherever it stands', () => {
    const value = 'a b/../c?d=&e#f"{token}%';
    const filling = { type: 'executable', value, token: 's/1' } as const;
    expect(filledUrl('https://v.example/x/{value}?k={token}', filling)).toBe(
      `https://v.example/x/${encodeURIComponent(value)}?k=s%2F1`,
    );
    const service = { apiTemplate: 'https://v.example/', apiMethod: 'POST', apiHeaders: {} } as const;
    const json = filledRequest({ ...service, apiBody: '{"v":"{value}"}' }, filling)!;
    expect([JSON.parse(json.body!), json.headers['content-type']]).toEqual([{ v: value }, 'application/json']);
    const form = filledRequest({ ...service, apiBody: 'v={value}' }, filling)!;
    expect([new URLSearchParams(form.body).get('v'), form.headers['content-type']]).toEqual([
      value,
      'application/x-www-form-urlencoded',
    ]);
  });
  it('name no folder above', () => {
    for (const value of ['.', '..']) {
      expect(filledUrl('https://v.example/x/{value}', { type: 'executable', value, token: null })).toBeNull();
    }
  });
  it('take hashes in lower case, and halves of letters', () => {
    expect(filledUrl('https://v.example/{value}', { type: 'hash', value: 'ABC', token: null })).toBe(
      'https://v.example/abc',
    );
    expect(filledUrl('https://v.example/{value}', { type: 'user', value: 'A\uD800', token: null })).toBe(
      'https://v.example/A%EF%BF%BD',
    );
  });
  it('send no header that says where a request goes', () => {
    const kept = keptHeaders({
      Host: 'x',
      cookie: 'x',
      'Proxy-Authorization': 'x',
      TE: 'x',
      Expect: 'x',
      'X-Key': 'k',
    });
    expect(kept).toEqual({ 'X-Key': 'k' });
  });
});
