import { messageFacts } from '../../sigma/linux-sources.ts';
import { isLeaf, isTree, type JsonTree } from '../json/json-tree.ts';
import * as cloud from '../objects/cloud-profiles.ts';
import { dns, firewall, netflow } from '../named/network-profiles.ts';
import type { Profile } from '../named/profile.ts';
import { webserver } from '../named/web-profiles.ts';
import type { DeviceKind } from '../endpoint/device-kinds.ts';
import { deviceProfile, kindsOfActions } from './defender-profiles.ts';

const workspace = { time: ['TimeGenerated', 'EventTime'], computer: ['Computer', 'HostName'], channel: ['Type'] };

/** The same records under the column names of Log Analytics. */
function renamed(profile: Profile, aliases: NonNullable<Profile['aliases']>, head: Partial<Profile['head']>): Profile {
  const merged = Object.entries(aliases).map(([key, names]) => [key, [...(profile.aliases?.[key] ?? []), ...names]]);
  return {
    ...profile,
    aliases: { ...profile.aliases, ...(Object.fromEntries(merged) as NonNullable<Profile['aliases']>) },
    head: { ...profile.head, ...workspace, ...head },
  };
}

const office = {
  workload: ['OfficeWorkload'],
  eventsource: ['OfficeWorkload', 'SourceSystem'],
  clientip: ['Client_IPAddress', 'ClientIP_', 'ClientIP'],
  parameters: ['Parameters'],
  objectid: ['OfficeObjectId'],
};
const officeHead = { computer: ['ClientIP', 'Client_IPAddress', 'OriginatingServer'], event: ['Operation'] };
const officeProfiles = new Map(
  [cloud.m365, cloud.m365Exchange, cloud.m365Threats].map((profile) => [profile, renamed(profile, office, officeHead)]),
);

const trail = renamed(
  cloud.cloudtrail,
  {
    'useridentity.type': ['UserIdentityType'],
    'useridentity.arn': ['UserIdentityArn'],
    'useridentity.username': ['UserIdentityUserName'],
    'useridentity.principalid': ['UserIdentityPrincipalid'],
    'useridentity.accountid': ['UserIdentityAccountId'],
    sourceipaddress: ['SourceIpAddress'],
  },
  { computer: ['SourceIpAddress'], channel: ['EventSource'], event: ['EventName'], record: ['AwsEventId'] },
);
const ends = {
  src_ip: ['SourceIP', 'SourceIp'],
  src_port: ['SourcePort'],
  dst_ip: ['DestinationIP', 'DestinationIp'],
  dst_port: ['DestinationPort'],
  action: ['DeviceAction', 'SimplifiedDeviceAction'],
  username: ['SourceUserName', 'DestinationUserName'],
};
const flows = {
  src_ip: ['SrcIP', 'SrcIp', 'VMIPAddress'],
  dst_ip: ['DestIP', 'DestIp'],
  dst_port: ['DestPort'],
};
const iis = renamed(
  webserver,
  {
    'cs-method': ['csMethod'],
    'cs-uri-stem': ['csUriStem'],
    'cs-uri-query': ['csUriQuery'],
    'cs-user-agent': ['csUserAgent'],
    'cs-referer': ['csReferer'],
    'cs-referrer': ['csReferer'],
    'cs-cookie': ['csCookie'],
    'cs-host': ['csHost'],
    'cs-username': ['csUserName'],
    'cs-version': ['csVersion'],
    'c-ip': ['cIP'],
    's-ip': ['sIP'],
    'sc-status': ['scStatus'],
    'sc-bytes': ['scBytes'],
  },
  { computer: ['Computer', 'sComputerName', 'sIP'], event: ['csMethod'] },
);
const names = renamed(
  dns,
  { query: ['Name', 'DnsQuery'], record_type: ['QueryType', 'DnsQueryTypeName'], answer: ['IPAddresses'] },
  { event: ['QueryType'] },
);
const signals = renamed(cloud.m365, office, { computer: ['IPAddress'], event: ['ActionType'] });

const signIn = { username: ['UserPrincipalName'] };
const head = { computer: ['IPAddress', 'ResourceId'] };
const signIns = renamed(cloud.azureSignIn, signIn, { ...head, event: ['OperationName', 'AppDisplayName'] });
const audits = renamed(cloud.azureAudit, {}, { ...head, event: ['OperationName', 'ActivityDisplayName'] });
const risks = renamed(cloud.azureRisk, {}, { ...head, event: ['RiskEventType', 'RiskDetail'] });
const activity = renamed(
  cloud.azureActivity,
  { operationname: ['OperationNameValue'] },
  { computer: ['CallerIpAddress'], channel: ['CategoryValue', 'Category'], event: ['OperationNameValue'] },
);

/** Tables by their names in lower case. */
const tables: Readonly<Record<string, Profile>> = {
  signinlogs: signIns,
  aadnoninteractiveusersigninlogs: signIns,
  aadserviceprincipalsigninlogs: signIns,
  aadmanagedidentitysigninlogs: signIns,
  adfssigninlogs: signIns,
  entraidsignins: signIns,
  auditlogs: audits,
  aaduserriskevents: risks,
  aadriskyusers: risks,
  aadserviceprincipalriskevents: risks,
  azureactivity: activity,
  awscloudtrail: trail,
  commonsecuritylog: renamed(firewall, ends, { computer: ['Computer', 'DeviceName'], event: ['DeviceEventClassID'] }),
  vmconnection: { ...renamed(firewall, ends, { event: ['Direction'] }), derived: { blocked: () => 'false' } },
  azurenetworkanalytics_cl: renamed(netflow, flows, { computer: ['VM_s'], event: ['FlowType'] }),
  w3ciislog: iis,
  dnsevents: names,
  cloudappevents: signals,
};

/** Kinds of tables of Defender where no action tells more. */
const deviceTables: Readonly<Record<string, DeviceKind>> = {
  deviceprocessevents: 'process',
  cloudprocessevents: 'process',
  devicenetworkevents: 'network',
  devicefileevents: 'fileCreated',
  deviceregistryevents: 'registrySet',
  deviceimageloadevents: 'imageLoad',
  deviceevents: 'other',
  devicelogonevents: 'other',
};

/**
 * What a row of a table is that Log Analytics (Azure Monitor, Sentinel) or Defender's advanced hunting give out, by
 * the name of the table where the row or what wraps it says that, else by its columns; undefined for anything else.
 */
export function tableProfile(row: JsonTree, wrapper: JsonTree = row): Profile | undefined {
  const has = (...columns: string[]): boolean => columns.every((column) => Object.hasOwn(row, column));
  if (has('Timestamp') && isHunting(row)) return huntingProfile(row, nameOf(wrapper.category) || nameOf(row.Type));
  if (!has('TimeGenerated')) return undefined;
  const table = nameOf(row.Type) || columnsTable(row);
  if (table === 'officeactivity') return officeProfile(row);
  if (table === 'syslog') return messageProfile(textOf(row.ProcessName), textOf(row.Facility));
  if (Object.hasOwn(deviceTables, table)) return huntingProfile(row, table);
  return Object.hasOwn(tables, table) ? tables[table] : undefined;
}

/** Whether a record is a row of such a table, whose columns of type dynamic may be texts. */
export function isTableRow(record: JsonTree): boolean {
  return Object.hasOwn(record, 'TimeGenerated') || (Object.hasOwn(record, 'Timestamp') && isHunting(record));
}

/** The row that a record of Defender's stream holds in its `properties`, or the record itself. */
export function huntingRow(record: JsonTree): JsonTree {
  const { time, category, properties } = record;
  const isWrapped = time !== undefined && category !== undefined && isTree(properties);
  return isWrapped && Object.hasOwn(properties, 'Timestamp') ? properties : record;
}

/** The record of Microsoft 365 that a row of CloudAppEvents holds, or the row itself. */
export function auditIn(row: JsonTree): JsonTree {
  const { RawEventData: raw } = row;
  return isTree(raw) && Object.hasOwn(raw, 'Workload') && Object.hasOwn(raw, 'Operation') ? raw : row;
}

const huntingColumns = ['ActionType', 'ReportId', 'AlertId', 'NetworkMessageId', 'InitiatingProcessFileName'];

function isHunting(row: JsonTree): boolean {
  return huntingColumns.some((column) => Object.hasOwn(row, column));
}

function huntingProfile(row: JsonTree, table: string): Profile {
  const has = (...columns: string[]): boolean => columns.every((column) => Object.hasOwn(row, column));
  if (table === 'cloudappevents') return signals;
  const known = Object.hasOwn(deviceTables, table) ? deviceTables[table]! : undefined;
  // Tables of alerts, mails and identities have no device's deeds.
  if (known === undefined && table !== '' && table !== 'deviceevents') return cloud.defenderOther;
  if (known === undefined && !has('DeviceId') && !has('DeviceName')) return cloud.defenderOther;
  const kind = kindsOfActions.get(nameOf(row.ActionType)) ?? known ?? 'other';
  const path = textOf(row.InitiatingProcessFolderPath) || textOf(row.FolderPath);
  return deviceProfile(kind, path);
}

function officeProfile(row: JsonTree): Profile {
  return officeProfiles.get(cloud.m365Profile(textOf(row.OfficeWorkload)))!;
}

const facilities = ['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv'];
const messageProfiles = new Map<string, Profile>();

/** A message of the system log is its program's. */
function messageProfile(program: string, facility: string): Profile {
  const number = facilities.indexOf(facility.toLowerCase());
  const facts = messageFacts(program, number < 0 ? null : number, null);
  const key = JSON.stringify(facts);
  let profile = messageProfiles.get(key);
  if (profile === undefined) {
    const aliases = { message: ['SyslogMessage'], program: ['ProcessName'] };
    profile = { source: 'linux', facts, aliases, head: { ...workspace, service: 'syslog', event: ['ProcessName'] } };
    messageProfiles.set(key, profile);
  }
  return profile;
}

/** A table by the columns that it has and no other. */
const signatures: readonly (readonly [string, ...string[]])[] = [
  ['officeactivity', 'OfficeWorkload', 'Operation'],
  ['vmconnection', 'Direction', 'SourceIp', 'DestinationIp', 'LinksEstablished'],
  ['commonsecuritylog', 'DeviceVendor', 'DeviceProduct'],
  ['awscloudtrail', 'AwsEventId', 'EventName'],
  ['awscloudtrail', 'EventSource', 'EventName', 'AWSRegion'],
  ['w3ciislog', 'csMethod', 'csUriStem'],
  ['syslog', 'SyslogMessage', 'Facility'],
  ['syslog', 'SyslogMessage', 'ProcessName'],
  ['signinlogs', 'AppDisplayName', 'ConditionalAccessStatus'],
  ['azureactivity', 'OperationNameValue', 'CategoryValue'],
  ['azureactivity', 'OperationNameValue', 'Caller'],
  ['auditlogs', 'OperationName', 'InitiatedBy'],
  ['auditlogs', 'OperationName', 'TargetResources'],
  ['aaduserriskevents', 'RiskEventType', 'RiskState'],
  ['dnsevents', 'Name', 'QueryType', 'ClientIP'],
  ['azurenetworkanalytics_cl', 'FlowType', 'FlowDirection'],
  ['deviceprocessevents', 'ProcessCommandLine', 'InitiatingProcessFileName', 'ActionType'],
  ['deviceevents', 'DeviceName', 'ActionType'],
];

function columnsTable(row: JsonTree): string {
  const found = signatures.find(([, ...columns]) => columns.every((column) => Object.hasOwn(row, column)));
  return found?.[0] ?? '';
}

/** A name in lower case, without the mark of the stream. */
function nameOf(value: JsonTree[string]): string {
  return textOf(value)
    .toLowerCase()
    .replace(/^advancedhunting-/, '');
}

function textOf(value: JsonTree[string]): string {
  return isLeaf(value) && value.isString ? value.text() : '';
}
