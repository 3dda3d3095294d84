import { deviceRelationships, failedLogons } from './device-relationships.ts';
import type { EntityKind, EntityType } from './entities.ts';
import type { RelationshipType } from './intel.ts';
import type { End, RelationshipRule } from './relationship-rule.ts';

/** Stands for the computer that the head of the event names, which comes before those that fields name. */
export const HEAD_COMPUTER = '';

const end = (type: EntityType, kind: EntityKind, ...fields: readonly string[]): End => ({
  type,
  kind,
  fields,
  isEach: false,
});
const program = (...fields: readonly string[]): End => end('executable', 'executable', ...fields);
const user = (...fields: readonly string[]): End => end('user', 'user', ...fields);
const address = (field: string): End => end('ip_address', 'ip', field);

const image = ['Image', 'NewProcessName', 'ProcessName'];
const auditImage = ['exe', 'comm', 'a0'];
const host = end('computer', 'computer', HEAD_COMPUTER, 'hostname', 'node', 'host', '_HOSTNAME');
const logons = ['4624', '4625'];
const installs = {
  type: 'installs',
  target: end('service', 'service', 'ServiceName'),
  eventIds: ['7045', '4697'],
} as const;

/** Events that tell of something that failed. */
export const failures: ReadonlySet<string> = new Set(['4625', ...failedLogons]);

export const relationshipRules: readonly RelationshipRule[] = [
  {
    type: 'hashes_to',
    source: program('ImageLoaded', ...image),
    target: { ...end('hash', 'hash', 'Hashes', 'Hash'), isEach: true },
  },
  {
    type: 'resolves_to',
    source: end('domain', 'domain', 'QueryName'),
    target: end('ip_address', 'domain', 'QueryResults'),
  },
  { type: 'parent_of', source: program('ParentImage', 'ParentProcessName'), target: program(...image) },
  { type: 'runs_as', source: program(...image), target: user('User') },
  { type: 'runs_as', source: program(...auditImage), target: user('acct', 'auid', 'uid') },
  { type: 'runs_on', source: program(...image), target: host },
  { type: 'runs_on', source: program(...auditImage), target: host },
  { type: 'logs_on_from', source: user('TargetUserName'), target: address('IpAddress'), eventIds: logons },
  { type: 'logs_on_to', source: user('TargetUserName'), target: host, eventIds: logons },
  {
    type: 'connects_to',
    source: address('SourceIp'),
    target: address('DestinationIp'),
    eventIds: ['3'],
    isPublic: true,
  },
  { type: 'loads', source: program(...image), target: program('ImageLoaded') },
  {
    type: 'creates',
    source: program(...image),
    target: end('cmdline_file', 'file', 'TargetFilename'),
    eventIds: ['11'],
  },
  {
    type: 'creates',
    source: program(...auditImage),
    target: end('cmdline_file', 'file', 'name'),
    when: { field: 'nametype', holds: (value) => value === '' || value === 'CREATE' },
  },
  { type: 'communicates_with', source: program(...auditImage), target: address('addr') },
  {
    type: 'communicates_with',
    source: program(...image),
    target: address('DestinationIp'),
    eventIds: ['3', 'network_connection'],
    when: { field: 'Initiated', holds: (value) => value.toLowerCase() !== 'false' },
  },
  { type: 'queries', source: program(...image), target: end('domain', 'domain', 'QueryName') },
  // What the event of the System log names the file of the service.
  { ...installs, source: program('ServiceFileName', 'ImagePath') },
  { ...installs, source: user('SubjectUserName') },
  { type: 'schedules', source: user('SubjectUserName'), target: end('task', 'task', 'TaskName'), eventIds: ['4698'] },
  { type: 'injects_into', source: program('SourceImage'), target: program('TargetImage'), eventIds: ['8', '10'] },
  ...deviceRelationships(host),
];

/** What records of auditd show together only: the program stands in one of them, the file or address in another. */
export const shownTogether: ReadonlySet<RelationshipType> = new Set<RelationshipType>(['creates', 'communicates_with']);

/** Fields that samples of relationships have (resolved-intel 6.2), by what flat records call them. */
export const sampleFields: ReadonlyMap<string, string> = new Map([
  ...(
    'UtcTime Timestamp SystemTime Computer EventID Image ParentImage ImageLoaded Hashes Hash User QueryName ' +
    'QueryResults TargetUserName IpAddress SourceIp DestinationIp TargetFilename exe comm proctitle acct uid auid ' +
    'pid ppid addr syscall key terminal hostname node name nametype a0 a1 ' +
    'NewProcessName ProcessName ParentProcessName CommandLine DestinationPort LogonType'
  )
    .split(' ')
    .map((name): [string, string] => [name, name]),
  ['TimeCreated_SystemTime', 'SystemTime'],
]);
