import { isLeaf } from '../json/json-tree.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { dotNetTime } from './dot-net-time.ts';
import { toldData } from './told-data.ts';
import { filled, textOf } from './win-event.ts';
import type { WindowsForm } from './windows-form.ts';

/** Logs of providers that write to one only: `Get-EventLog` and Event Viewer do not tell which log an event is of. */
const channels: Readonly<Record<string, string>> = {
  'Microsoft-Windows-Security-Auditing': 'Security',
  'Microsoft-Windows-Sysmon': 'Microsoft-Windows-Sysmon/Operational',
  'Microsoft-Windows-PowerShell': 'Microsoft-Windows-PowerShell/Operational',
  'Microsoft-Windows-TaskScheduler': 'Microsoft-Windows-TaskScheduler/Operational',
  'Microsoft-Windows-Windows Defender': 'Microsoft-Windows-Windows Defender/Operational',
  'Service Control Manager': 'System',
  'Microsoft-Windows-DistributedCOM': 'System',
  'Microsoft-Windows-Kernel-General': 'System',
  PowerShell: 'Windows PowerShell',
  MsiInstaller: 'Application',
  'Application Error': 'Application',
  'Windows Error Reporting': 'Application',
  ESENT: 'Application',
  MSSQLSERVER: 'Application',
};
/** Events of the event log's service itself, which writes to each log. */
const clearedChannels: Readonly<Record<string, string>> = { 104: 'System', 1102: 'Security' };

/** Providers under the names that people read. */
const spokenProviders: Readonly<Record<string, string>> = {
  'Microsoft Windows security auditing.': 'Microsoft-Windows-Security-Auditing',
  'Microsoft-Windows-Service Control Manager': 'Service Control Manager',
};
/** The providers of logs to which, but for the event log's service, one writes. */
const channelProviders: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(channels)
    .filter(([, channel]) => channel !== 'System' && channel !== 'Application')
    .map(([provider, channel]) => [channel, provider]),
);

const viewerColumns = ['Date and Time', 'Source', 'Event ID', 'Task Category'];
const messageColumn = 'Message';

/** PowerShell's `Get-EventLog … | ConvertTo-Json`. */
export const eventLogForm: WindowsForm = {
  holds: (record) => isLeaf(record.Source) && isEventLog((name) => record[name] !== undefined),
  eventIn: eventLogEvent,
};

/** Whether names are those of events of `Get-EventLog`. */
export function isEventLog(has: (name: string) => boolean): boolean {
  const isTimed = has('TimeGenerated') || has('TimeWritten');
  return isTimed && has('Source') && has('EntryType') && (has('EventID') || has('InstanceId'));
}

/** The event of an object or of a row of `Export-Csv`. */
export function eventLogEvent(record: JsonObject): JsonObject {
  const provider = textOf(record.Source);
  const eventId = textOf(record.EventID) || idOf(textOf(record.InstanceId));
  const { ReplacementStrings: strings } = record;
  const values = Array.isArray(strings) ? (strings as readonly JsonValue[]) : [];
  return {
    System: {
      Provider: filled({ Name: provider }),
      TimeCreated: filled({ SystemTime: dotNetTime(record.TimeGenerated) ?? dotNetTime(record.TimeWritten) }),
      ...filled({ EventID: eventId, EventRecordID: record.Index, Computer: record.MachineName }),
      ...filled({ Channel: textOf(record.Log) || channelOf(provider, eventId) }),
    },
    EventData: toldData({ provider, eventId, values, message: textOf(record.Message) }),
    RenderingInfo: filled({ Message: record.Message }),
  };
}

/** Names of the columns of Event Viewer's tables, the last of which has none there; undefined for other tables. */
export function eventViewerNames(names: readonly string[]): readonly string[] | undefined {
  return viewerColumns.every((name) => names.includes(name)) && !names.includes(messageColumn)
    ? [...names, messageColumn]
    : undefined;
}

/** The event of a row of such a table. */
export function eventViewerEvent(row: JsonObject): JsonObject {
  const [time, Source, EventID] = viewerColumns.map((name) => row[name] ?? null);
  return eventLogEvent({ Source: Source!, EventID: EventID!, TimeGenerated: time!, Message: row[messageColumn] });
}

/** The lower half of the number that tells the message too. */
function idOf(instance: string): string {
  return /^\d{1,10}$/.test(instance) ? String(Number(instance) % 0x1_0000) : '';
}

/**
 * The provider as Windows names it, by what a program calls it: some of them say it in the words that people read, and
 * newer agents of Snare call all of them `Windows`.
 */
export function providerOf(name: string, channel: string, eventId: string): string {
  if (Object.hasOwn(spokenProviders, name)) return spokenProviders[name]!;
  if (name !== '' && name !== 'Windows') return name;
  if (Object.hasOwn(clearedChannels, eventId) && clearedChannels[eventId] === channel)
    return 'Microsoft-Windows-Eventlog';
  return Object.hasOwn(channelProviders, channel) ? channelProviders[channel]! : name;
}

/** The log of a provider that writes to one only, or of an event of the event log's service. */
export function channelOf(provider: string, eventId: string): string | undefined {
  const table = provider === 'Microsoft-Windows-Eventlog' ? clearedChannels : channels;
  const key = table === channels ? provider : eventId;
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
