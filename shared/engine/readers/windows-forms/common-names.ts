import type { JsonObject } from '../json/json-value.ts';
import { everyDataName } from './data-names.ts';
import { labelsOf, told } from './message-data.ts';
import type { MessageLabels } from './message-labels.ts';

/** Keys that may have a label of their own, which is that of the event's message. */
const labelled = /^(?:cs[1-6]|cn[1-3]|flexString[12]|c6a[1-4])$/;
/** Labels that connectors write otherwise than Windows does. */
const otherWords: Readonly<Record<string, string>> = {
  'Authentication Package Name': 'Authentication Package',
  'Command Line': 'Process Command Line',
};
/** Events in which the account that acts is the destination’s, though they tell of two. */
const actors = new Set(['4688', '4672', '4656', '4663', '4689', '4703']);
/** Events of which it is not told which of their accounts a key has. */
const unclear = new Set(['4728', '4729', '4732', '4733', '4756', '4757']);

/**
 * Data of an event under the keys of CEF, as ArcSight's connectors fill them: by the label that stands beside a key, by
 * heading and label in what they added, else by what the key means for an event with such data.
 */
export function standardData(provider: string, eventId: string, pairs: ReadonlyMap<string, string>): JsonObject {
  const names = new Set(everyDataName(provider, eventId));
  if (names.size === 0) return {};
  const labels = labelsOf(provider, eventId) ?? {};
  const data: Record<string, string> = {};
  const add = (name: string | undefined, value: string | undefined): void => {
    if (name !== undefined && names.has(name) && value !== undefined && value !== '') data[name] ??= value;
  };
  for (const [key, name] of meanings(eventId, names)) add(name, pairs.get(key));
  for (const [key, value] of pairs) {
    const label = labelled.test(key) ? pairs.get(`${key}Label`) : addedLabel(key);
    if (label !== undefined) add(nameOf(label, labels, names, eventId), value);
  }
  for (const [label, value] of rawPairs(pairs.get('rawEvent') ?? '')) add(nameOf(label, labels, names, eventId), value);
  return told(data);
}

/** Names of an event's data by keys of the format. */
function meanings(eventId: string, names: ReadonlySet<string>): readonly (readonly [key: string, name: string])[] {
  const hasBoth = names.has('SubjectUserName') && names.has('TargetUserName');
  const isActor = actors.has(eventId) || !names.has('TargetUserName');
  return [
    ...(unclear.has(eventId) ? [] : accountKeys('d', isActor ? 'Subject' : 'Target')),
    ...(hasBoth && !isActor ? accountKeys('s', 'Subject') : []),
    ['src', 'IpAddress'],
    ['spt', 'IpPort'],
    ['shost', names.has('Workstation') ? 'Workstation' : 'WorkstationName'],
    ['dproc', eventId === '4688' ? 'NewProcessName' : 'ProcessName'],
    ['sproc', eventId === '4688' ? 'ParentProcessName' : 'ProcessName'],
    ['deviceProcessName', 'LogonProcessName'],
    ['dpriv', 'PrivilegeList'],
    ['fname', 'ObjectName'],
    ['fileId', 'HandleId'],
    ['fileType', 'ObjectType'],
  ];
}

function accountKeys(prefix: 'd' | 's', who: string): readonly (readonly [key: string, name: string])[] {
  return [
    [`${prefix}user`, `${who}UserName`],
    [`${prefix}ntdom`, `${who}DomainName`],
    [`${prefix}uid`, `${who}LogonId`],
  ];
}

/** `ad.Client_,Machine:Security_,ID` without what marks it and the blanks. */
function addedLabel(key: string): string | undefined {
  return key.startsWith('ad.') ? key.slice(3).replaceAll('_,', ' ') : undefined;
}

/** What connectors keep of an event where they are told to: pairs behind `&&`. */
function rawPairs(raw: string): readonly (readonly [label: string, value: string])[] {
  return raw.split('&&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 1 ? [] : [[pair.slice(0, equals), pair.slice(equals + 1)] as const];
  });
}

/** The name behind a label, or a heading and a label: that of the event's message, else what has the same words. */
function nameOf(given: string, labels: MessageLabels, names: ReadonlySet<string>, eventId: string): string | undefined {
  const colon = given.indexOf(':');
  const heading = colon < 0 ? undefined : given.slice(0, colon);
  const written = given.slice(colon + 1).trim();
  const label = Object.hasOwn(otherWords, written) ? otherWords[written]! : written;
  // Of a start, connectors mean the process that was started.
  if (eventId === '4688' && label === 'Process ID') return 'NewProcessId';
  if (label === 'Reason or Error Code') return 'Status';
  const groups = heading === undefined ? Object.values(labels) : [labels[heading] ?? {}];
  const found = new Set(groups.flatMap((group) => (Object.hasOwn(group, label) ? [group[label]!] : [])));
  if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
  const words = written.replaceAll(' ', '').toLowerCase();
  return heading === undefined ? [...names].find((name) => name.toLowerCase() === words) : undefined;
}
