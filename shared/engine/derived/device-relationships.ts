import type { End, RelationshipRule } from './relationship-rule.ts';

/**
 * Where the records of an endpoint product name what takes part in what they tell of, by their own names: the first
 * field that names anything counts. What acts is the process that a record is of, or who started another one.
 */
interface Device {
  readonly actor: readonly string[];
  readonly actorUser: readonly string[];
  readonly started: readonly string[];
  readonly startedUser: readonly string[];
  readonly startedHashes: readonly string[];
  readonly parent: readonly string[];
  readonly local: readonly string[];
  readonly remote: readonly string[];
  /** Of a connection: the field that says so, and how, where another computer began it. */
  readonly inbound: { readonly field: string; readonly says: RegExp };
  readonly domain: readonly string[];
  readonly answers: readonly string[];
  readonly file: readonly string[];
  readonly loaded: readonly string[];
  readonly loadedHashes: readonly string[];
}

const defender: Device = {
  actor: ['InitiatingProcessFileName', 'InitiatingProcessFolderPath'],
  actorUser: ['InitiatingProcessAccountName'],
  started: ['FileName', 'FolderPath'],
  startedUser: ['AccountName'],
  startedHashes: ['SHA256', 'SHA1', 'MD5'],
  parent: ['InitiatingProcessFileName', 'InitiatingProcessFolderPath'],
  local: ['LocalIP'],
  remote: ['RemoteIP'],
  inbound: { field: 'ActionType', says: /^inbound/i },
  domain: ['AdditionalFields.DnsQueryString'],
  answers: ['AdditionalFields.DnsQueryResult'],
  file: ['FileName'],
  loaded: ['FileName'],
  loadedHashes: ['SHA256', 'SHA1', 'MD5'],
};

const falcon: Device = {
  actor: ['ContextBaseFileName', 'ContextImageFileName'],
  actorUser: ['UserName'],
  started: ['ImageFileName'],
  startedUser: ['UserName'],
  startedHashes: ['SHA256HashData', 'SHA1HashData', 'MD5HashData'],
  parent: ['ParentBaseFileName', 'ParentImageFileName'],
  local: ['LocalAddressIP4', 'LocalAddressIP6'],
  remote: ['RemoteAddressIP4', 'RemoteAddressIP6'],
  inbound: { field: 'event_simpleName', says: /^NetworkReceiveAccept/i },
  domain: ['DomainName'],
  answers: ['IP4Records', 'IP6Records'],
  file: ['TargetFileName'],
  loaded: ['ImageFileName'],
  loadedHashes: ['SHA256HashData', 'SHA1HashData', 'MD5HashData'],
};

const sentinelOne: Device = {
  actor: ['src.process.image.path', 'srcProcImagePath', 'srcProcName'],
  actorUser: ['src.process.user', 'srcProcUser'],
  started: ['tgt.process.image.path', 'tgtProcImagePath', 'tgtProcName'],
  startedUser: ['tgt.process.user', 'tgtProcUser'],
  startedHashes: ['tgt.process.image.sha256', 'tgt.process.image.sha1', 'tgt.process.image.md5'],
  parent: ['src.process.image.path', 'srcProcImagePath', 'srcProcName'],
  local: ['src.ip.address', 'srcIp'],
  remote: ['dst.ip.address', 'dstIp'],
  inbound: { field: 'event.network.direction', says: /^in/i },
  domain: ['event.dns.request', 'dnsRequest'],
  answers: ['event.dns.response', 'dnsResponse'],
  file: ['tgt.file.path', 'tgtFilePath'],
  loaded: ['module.path', 'modulePath'],
  loadedHashes: ['module.sha256', 'module.sha1', 'module.md5'],
};

const carbonBlack: Device = {
  actor: ['process_path', 'path'],
  actorUser: ['process_username', 'username'],
  started: ['childproc_name'],
  startedUser: ['childproc_username'],
  startedHashes: ['childproc_hash'],
  parent: ['process_path', 'path'],
  local: ['local_ip'],
  remote: ['remote_ip'],
  inbound: { field: 'netconn_inbound', says: /^true$/i },
  domain: ['netconn_domain'],
  answers: [],
  file: ['filemod_name'],
  loaded: ['modload_name'],
  loadedHashes: ['modload_hash'],
};
/** Of starts that records of the process itself tell, which name its parent. */
const carbonBlackProcess: Device = {
  ...carbonBlack,
  actor: [],
  started: ['process_path', 'path'],
  startedUser: ['process_username', 'username'],
  startedHashes: ['process_hash', 'sha256', 'md5'],
  parent: ['parent_path'],
};

const ecs: Device = {
  actor: ['process.executable'],
  actorUser: ['user.name', 'process.user.name'],
  started: ['process.executable'],
  startedUser: ['user.name', 'process.user.name'],
  startedHashes: ['process.hash.sha256', 'process.hash.sha1', 'process.hash.md5'],
  parent: ['process.parent.executable'],
  local: ['source.ip'],
  remote: ['destination.ip'],
  inbound: { field: 'event.action', says: /accept|^in/i },
  domain: ['dns.question.name'],
  answers: ['dns.resolved_ip', 'dns.answers.data'],
  file: ['file.path'],
  loaded: ['dll.path'],
  loadedHashes: ['dll.hash.sha256', 'dll.hash.sha1', 'dll.hash.md5'],
};

const osquery: Device = {
  actor: ['columns.path'],
  actorUser: ['columns.username'],
  started: ['columns.path'],
  startedUser: ['columns.username'],
  startedHashes: ['columns.sha256', 'columns.sha1', 'columns.md5'],
  parent: ['columns.parent_path'],
  local: ['columns.local_address'],
  remote: ['columns.remote_address'],
  inbound: { field: 'columns.direction', says: /^in/i },
  domain: [],
  answers: [],
  file: ['columns.target_path'],
  loaded: [],
  loadedHashes: [],
};

const products = [defender, falcon, sentinelOne, carbonBlack, carbonBlackProcess, ecs, osquery];

/** Categories of the log sources that records of these products have. */
const starts = ['process_creation'];
const connections = ['network_connection'];
const queries = ['dns_query', 'dns'];
const files = ['file_event'];
const loads = ['image_load'];
const acts = [...connections, ...queries, ...files, ...loads];

/** What such an end names is a thing of the job, whether or not the field is one of those that always name one. */
function end(type: End['type'], kind: End['kind'], fields: readonly string[], isEach = false): End {
  return { type, kind, fields, isEach, isNamed: true };
}
const program = (fields: readonly string[]): End => end('executable', 'executable', fields);
const user = (fields: readonly string[]): End => end('user', 'user', fields);
const address = (fields: readonly string[]): End => end('ip_address', 'ip', fields);
const hashes = (fields: readonly string[]): End => end('hash', 'hash', fields, true);

function rulesOf(device: Device, host: End): readonly RelationshipRule[] {
  const { actor, started, inbound } = device;
  const outward = { field: inbound.field, holds: (value: string): boolean => !inbound.says.test(value) };
  const domain = end('domain', 'domain', device.domain);
  return [
    { type: 'hashes_to', source: program(started), target: hashes(device.startedHashes), eventIds: starts },
    { type: 'hashes_to', source: program(device.loaded), target: hashes(device.loadedHashes), eventIds: loads },
    { type: 'resolves_to', source: domain, target: end('ip_address', 'domain', device.answers), eventIds: queries },
    { type: 'parent_of', source: program(device.parent), target: program(started), eventIds: starts },
    { type: 'runs_as', source: program(started), target: user(device.startedUser), eventIds: starts },
    { type: 'runs_as', source: program(actor), target: user(device.actorUser), eventIds: acts },
    { type: 'runs_on', source: program(started), target: host, eventIds: starts },
    { type: 'runs_on', source: program(actor), target: host, eventIds: acts },
    {
      type: 'connects_to',
      source: address(device.local),
      target: address(device.remote),
      eventIds: connections,
      when: outward,
      isPublic: true,
    },
    { type: 'loads', source: program(actor), target: program(device.loaded), eventIds: loads },
    { type: 'creates', source: program(actor), target: end('cmdline_file', 'file', device.file), eventIds: files },
    {
      type: 'communicates_with',
      source: program(actor),
      target: address(device.remote),
      eventIds: connections,
      when: outward,
    },
    { type: 'queries', source: program(actor), target: domain, eventIds: queries },
  ];
}

/** How Defender's and Falcon's records name logons. */
const logons = [
  { ids: ['LogonSuccess', 'LogonFailed'], account: ['AccountName'], from: ['RemoteIP'] },
  {
    ids: ['UserLogon', 'UserLogonFailed', 'UserLogonFailed2'],
    account: ['UserName'],
    from: ['RemoteAddressIP4', 'RemoteAddressIP6'],
  },
];
export const failedLogons: readonly string[] = ['LogonFailed', 'UserLogonFailed', 'UserLogonFailed2'];

/** Names asked for and their answers in what Zeek and Suricata have seen pass. */
const sensors = [
  { domain: ['query'], answers: ['answers'] },
  { domain: ['dns.rrname'], answers: ['dns.grouped.A', 'dns.grouped.AAAA', 'dns.rdata'] },
];

/** Relationships that records of endpoint products and of network sensors show, by their own names. */
export function deviceRelationships(host: End): readonly RelationshipRule[] {
  const rules = [
    ...products.flatMap((device) => rulesOf(device, host)),
    ...logons.flatMap(({ ids, account, from }): RelationshipRule[] => [
      { type: 'logs_on_from', source: user(account), target: address(from), eventIds: ids },
      { type: 'logs_on_to', source: user(account), target: host, eventIds: ids },
    ]),
    ...sensors.map(({ domain, answers }): RelationshipRule => ({
      type: 'resolves_to',
      source: end('domain', 'domain', domain),
      target: end('ip_address', 'domain', answers),
      eventIds: ['dns'],
    })),
  ];
  return rules.filter(({ source, target }) => source.fields.length > 0 && target.fields.length > 0);
}
