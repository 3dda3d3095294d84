import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { everyDataName } from './data-names.ts';
import { brokenByLabels, brokenByNames, brokenByScript, isFlat } from './flat-message.ts';
import { clearedLabels, type MessageLabels, securityLabels, serviceLabels, spokenValues } from './message-labels.ts';

/** Longer messages are not looked through line by line. */
const longestMessage = 256 * 1024;
const label = /^(\s*)([A-Z][\w ()-]{0,60}?) ?:(?:\s+(.*)|)$/;
/** Names whose values are identifiers, in place of which some messages have the name of the account. */
const identifiers = /Sid$|^MandatoryLabel$/;
const scriptBlock =
  /^Creating Scriptblock text \((\d+) of (\d+)\):\r?\n(.*)\r?\n\r?\nScriptBlock ID: ([\da-f-]{36})\r?\nPath: ?(.*)$/s;

/**
 * The data of an event that stands in its message, as Windows writes it in English; empty where that is not known.
 * What is not exactly what the label of the event's own template says is left out.
 */
export function messageData(provider: string, eventId: string, message: string): JsonObject {
  if (message === '' || message.length > longestMessage) return {};
  if (provider === 'Microsoft-Windows-Sysmon') {
    const names = everyDataName(provider, eventId);
    return linesByName(isFlat(message) ? brokenByNames(message, names) : message, names);
  }
  if (provider === 'Microsoft-Windows-PowerShell') return eventId === '4104' ? scriptIn(message) : {};
  if (provider === 'PowerShell') return detailsIn(message);
  const labels = labelsOf(provider, eventId);
  return labels === undefined ? {} : labelled(isFlat(message) ? brokenByLabels(message, labels) : message, labels);
}

/** Labels of the message of an event that are read for names; undefined for other events. */
export function labelsOf(provider: string, eventId: string): MessageLabels | undefined {
  if (provider === 'Microsoft-Windows-Eventlog') return eventId === '1102' ? clearedLabels : undefined;
  if (provider === 'Service Control Manager') return eventId === '7045' ? serviceLabels : undefined;
  const isSecurity = provider === 'Microsoft-Windows-Security-Auditing';
  return isSecurity && Object.hasOwn(securityLabels, eventId) ? securityLabels[eventId] : undefined;
}

/** Sysmon's messages: a name of the event and its value on each line; what follows of other lines is its value too. */
function linesByName(message: string, names: readonly string[]): JsonObject {
  const known = new Set(names);
  const data: Record<string, string> = {};
  let open: string | undefined;
  for (const line of message.split(/\r?\n/)) {
    const colon = line.indexOf(': ');
    const name = colon < 0 ? line.replace(/:$/, '') : line.slice(0, colon);
    const isNext = known.has(name) && !Object.hasOwn(data, name) && line.length > name.length;
    if (isNext) data[name] = line.slice(name.length + 1).replace(/^ /, '');
    else if (open !== undefined && known.has(open)) data[open] += `\n${line}`;
    if (isNext) open = name;
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replace(/\n+$/, '')]));
}

/** Values under headings: `Subject:`, then on lines with a tab before them `Account Name:` and what it is. */
function labelled(message: string, labels: MessageLabels): JsonObject {
  const data: Record<string, string> = {};
  let heading = '';
  let open: string | undefined;
  for (const line of message.split(/\r?\n/)) {
    const [, indent = '', name = '', value = ''] = label.exec(line) ?? [];
    const group = labels[indent === '' ? '' : heading];
    const known = group !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
    if (known !== undefined) {
      open = Object.hasOwn(data, known) ? undefined : known;
      if (open !== undefined) data[open] = value;
    } else if (line.trim() === '') {
      open = undefined;
    } else if (indent === '' && name !== '' && value === '') {
      heading = name;
      open = undefined;
    } else if (indent !== '' && name !== '' && Object.hasOwn(labels, heading)) {
      // A label of a newer version, or one whose value is not the event's own.
      open = undefined;
    } else if (open !== undefined) {
      data[open] += `\n${line}`;
    }
  }
  return told(data);
}

/** Of values by the names of an event's data those that are exactly what the event has, in its spelling. */
export function told(data: Readonly<Record<string, string>>): JsonObject {
  const values: [string, JsonValue][] = [];
  for (const [name, text] of Object.entries(data)) {
    const trimmed = text.trim();
    const spoken = Object.hasOwn(spokenValues, name) ? spokenValues[name] : undefined;
    const value = spoken !== undefined && Object.hasOwn(spoken, trimmed) ? spoken[trimmed]! : trimmed;
    if (value !== '' && isExact(name, value)) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function isExact(name: string, value: string): boolean {
  if (identifiers.test(name)) return value === '-' || value.startsWith('S-1-');
  if (Object.hasOwn(spokenValues, name)) return value === '-' || value.startsWith('%%');
  return !/^<.*>$/.test(value) || value.startsWith('<?xml');
}

/** The block of a script that was run, which other lines follow. */
function scriptIn(message: string): JsonObject {
  const text = isFlat(message) ? brokenByScript(message) : message;
  const [, number, total, script, id, path] = scriptBlock.exec(text) ?? [];
  if (id === undefined) return {};
  return {
    MessageNumber: number!,
    MessageTotal: total!,
    ScriptBlockText: script!.replace(/\r$/, ''),
    ScriptBlockId: id,
    Path: path!.trimEnd(),
  };
}

/** Classic PowerShell's values have no names; the last of them is what its message ends with. */
function detailsIn(message: string): JsonObject {
  if (isFlat(message)) {
    const details = /(?:^| )Details: +(.*)$/.exec(message)?.[1];
    return details === undefined ? {} : { Data: [details] };
  }
  const at = message.search(/^Details: *\r?$/m);
  return at < 0 ? {} : { Data: [message.slice(message.indexOf('\n', at) + 1)] };
}
