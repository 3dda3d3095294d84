import { ecsHashes, ecsNames } from '../json/ecs-names.ts';
import { isLeaf, isList, type JsonTree, nodeAt, textAt } from '../json/json-tree.ts';
import type { Derive, Profile } from '../named/profile.ts';
import { type DeviceKind, systemNamed, systemOf } from './device-kinds.ts';
import { deviceProfiles, type Names, ofFiles, ofRegistry } from './device-profiles.ts';
import { account, firstOf, hashesOf, registryData, registryPath } from './sysmon-values.ts';

const things = ['process', 'file', 'registry', 'dll', 'auditd'];
/** What a thing must have for a record to be a device’s, and not that of a service that names a program, too. */
const told = [
  'process.executable',
  'process.command_line',
  'process.args',
  'file.path',
  'registry.path',
  'dll.path',
  'auditd',
];

/**
 * Whether the keys of a record are those that Elastic Defend, Auditbeat and others that keep to the Elastic Common
 * Schema have for what happens on a device. A Windows event in it is read as that.
 */
export function isEcsDevice(record: JsonTree): boolean {
  const has = (key: string): boolean => Object.hasOwn(record, key);
  if (!has('event') && !has('event.category') && !has('event.action')) return false;
  if (!things.some(has) && !told.some(has)) return false;
  if (nodeAt(record, 'winlog') !== undefined || nodeAt(record, 'winlog.channel') !== undefined) return false;
  // A Windows event of which a shipper has renamed everything.
  if (nodeAt(record, 'event.provider') !== undefined && nodeAt(record, 'event.code') !== undefined) return false;
  if (nodeAt(record, 'event.category') === undefined && nodeAt(record, 'event.action') === undefined) return false;
  return told.some((path) => nodeAt(record, path) !== undefined);
}

/** Undefined for a record that another signature tells more of. */
export function ecsProfile(record: JsonTree): Profile | undefined {
  const kind = kindOf(record);
  const image = textAt(record, 'process.executable');
  if ((kind === 'network' || kind === 'dns') && image === '') return undefined;
  const named = ['host.os.type', 'host.os.family', 'host.os.platform'].map((path) => systemNamed(textAt(record, path)));
  return profiles(kind, named.find((system) => system !== undefined) ?? systemOf(image || textAt(record, 'file.path')));
}

function isIn(list: readonly string[], ...any: readonly string[]): boolean {
  return any.some((one) => list.includes(one));
}

function kindOf(record: JsonTree): DeviceKind {
  const values = (path: string): readonly string[] => textsAt(record, path).map((text) => text.toLowerCase());
  const [categories, types, actions] = [values('event.category'), values('event.type'), values('event.action')];
  if (textAt(record, 'event.outcome') === 'failure') return 'other';
  if (isIn(categories, 'registry')) return registryKind(record, types, actions);
  if (isIn(categories, 'driver')) return isIn(types, 'end') ? 'other' : 'driver';
  if (isIn(categories, 'library')) return 'imageLoad';
  // A fork runs what its parent ran.
  const isStart = (isIn(types, 'start') && !isIn(actions, 'fork')) || isIn(actions, 'executed', 'process_started');
  if (isIn(categories, 'process', 'audit-rule')) return isStart ? 'process' : 'other';
  if (isIn(categories, 'file')) return fileKind(types, actions);
  if (!isIn(categories, 'network') || isIn(types, 'end')) return 'other';
  if (nodeAt(record, 'dns.question.name') !== undefined) return 'dns';
  return nodeAt(record, 'destination.ip') === undefined ? 'other' : 'network';
}

function registryKind(record: JsonTree, types: readonly string[], actions: readonly string[]): DeviceKind {
  const isValue = textAt(record, 'registry.value') !== '' || nodeAt(record, 'registry.data') !== undefined;
  if (types.includes('deletion')) return isValue ? 'registryValueDeleted' : 'registryKeyDeleted';
  if (actions.includes('rename')) return 'registryRenamed';
  if (types.includes('creation') && !isValue) return 'registryAdded';
  return types.includes('change') || types.includes('creation') ? 'registrySet' : 'other';
}

function fileKind(types: readonly string[], actions: readonly string[]): DeviceKind {
  if (actions.includes('rename')) return 'fileRenamed';
  if (types.includes('creation')) return 'fileCreated';
  if (types.includes('deletion')) return 'fileDeleted';
  return types.includes('change') ? 'fileModified' : 'other';
}

function textsAt(record: JsonTree, path: string): readonly string[] {
  const node = nodeAt(record, path);
  const nodes = isList(node) ? node : [node];
  return nodes.flatMap((one) => (isLeaf(one) ? one.text() : []));
}

/** The names that shippers of Sysmon’s events have for the same values. */
function sysmonNames(eventId: string): NonNullable<Names['aliases']> {
  const names = Object.entries(ecsNames('Microsoft-Windows-Sysmon', eventId));
  return Object.fromEntries(names.map(([name, path]) => [name.toLowerCase(), [path]]));
}

function hashesAt(owner: string): Derive {
  return hashesOf(Object.fromEntries(Object.entries(ecsHashes).map(([name, path]) => [name, `${owner}.${path}`])));
}

function commandOf(process: string): Derive {
  return (text, texts) =>
    firstOf(text, `${process}.command_line`) ??
    (texts(`${process}.args`).join(' ') || firstOf(text, `${process}.title`));
}

const userOfRecord = account('user.domain', 'user.name');
const user: Derive = (text, texts) =>
  userOfRecord(text, texts) ?? firstOf(text, 'process.user.name', 'user.effective.name');
const path: Derive = (text) => {
  const whole = firstOf(text, 'registry.path');
  return whole === undefined ? undefined : registryPath(whole);
};
const changed: Names = {
  // As they stand there they are not in Sysmon's spelling.
  aliases: { targetobject: [], details: [] },
  derived: {
    targetobject: path,
    newname: path,
    details: (text, texts) =>
      registryData(text('registry.data.type') ?? '', texts('registry.data.strings').join(' ') || undefined),
  },
};
const touched: Names = {
  aliases: { sourcefilename: ['file.Ext.original.path'] },
  derived: { hashes: hashesAt('file') },
};
const names: Names = {
  aliases: {
    ...sysmonNames('1'),
    image: ['process.executable', 'process.path'],
    integritylevel: ['process.Ext.token.integrity_level_name'],
  },
  derived: { user, commandline: commandOf('process'), parentcommandline: commandOf('process.parent') },
};
const dnsNames = {
  query: ['dns.question.name'],
  record_type: ['dns.question.type'],
  queryresults: ['dns.resolved_ip', 'dns.answers.data'],
  answer: ['dns.resolved_ip', 'dns.answers.data'],
};

const profiles = deviceProfiles({
  head: {
    time: ['@timestamp', 'event.created'],
    computer: ['host.name', 'host.hostname', 'agent.hostname', 'agent.name'],
    service: 'endpoint',
    channel: ['event.dataset', 'event.module'],
    event: ['event.action'],
    record: ['event.id'],
  },
  actor: names,
  process: { ...names, derived: { ...names.derived, hashes: hashesAt('process') } },
  kinds: {
    network: {
      derived: {
        initiated: (text) =>
          String(!/accept|^in/i.test(`${text('network.direction') ?? ''}${text('event.action') ?? ''}`)),
      },
    },
    ...ofFiles(touched),
    ...ofRegistry(changed),
    imageLoad: { aliases: sysmonNames('7'), derived: { hashes: hashesAt('dll') } },
    driver: { aliases: sysmonNames('7'), derived: { hashes: hashesAt('dll') } },
    dns: { aliases: dnsNames },
  },
});
