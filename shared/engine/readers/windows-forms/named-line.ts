import type { JsonObject } from '../json/json-value.ts';
import { everyDataName } from './data-names.ts';
import { dotNetTime } from './dot-net-time.ts';
import { channelOf, providerOf } from './event-log.ts';
import { standardData } from './common-names.ts';
import { messageData, told } from './message-data.ts';
import { filled } from './win-event.ts';

/** Names and values of a line, and what stands before them. */
export interface NamedLine {
  /** Empty where the line has none. */
  readonly vendor: string;
  readonly product: string;
  readonly id: string;
  readonly title: string;
  readonly pairs: ReadonlyMap<string, string>;
}

/** `Provider:id`, as ArcSight's connectors number events. */
const providerAndId = /^(.+):(\d{1,5})$/;
/** What NXLog, WinCollect and connectors say of an event that is none of its data. */
const about = new Set(
  [
    'EventTime EventTimeWritten EventReceivedTime Hostname Keywords EventType SeverityValue Severity EventID SourceName',
    'ProviderGuid Version Task TaskValue OpcodeValue Opcode RecordNumber EventRecordID ActivityID RelatedActivityID',
    'ExecutionProcessID ExecutionThreadID ProcessID ThreadID Channel Category Message SourceModuleName SourceModuleType',
    'Domain AccountName UserID AccountType AgentDevice AgentLogFile PluginVersion Source Computer OriginatingComputer User',
    'EventIDCode EventCategory TimeGenerated TimeWritten Level outcome end start msg geid EventIndex WindowsVersion',
    'WindowsKeyMapFamily WindowsParserFamily arcSightEventPath EventlogCategory',
  ].flatMap((names) => names.split(' ')),
);
const timeKeys = ['rt', 'EventTime', 'TimeGenerated', 'end', 'start', 'devTime'];

/**
 * The Windows event that a line of CEF, LEEF or of WinCollect is; undefined where it is none. What connectors put under
 * the names of their format is data again where it has one meaning for the event.
 */
export function namedLineEvent(line: NamedLine): JsonObject | undefined {
  const { pairs } = line;
  const first = (...keys: readonly string[]): string => keys.map((key) => pairs.get(key) ?? '').find(isSaid) ?? '';
  const found = identityOf(line, first);
  if (found === undefined) return undefined;
  const { provider, eventId, channel } = found;
  const message = first('Message', 'msg');
  return {
    System: {
      Provider: filled({ Name: provider, Guid: first('ProviderGuid') }),
      TimeCreated: filled({ SystemTime: timeOf(pairs) }),
      ...filled({ EventID: eventId, Channel: channel }),
      ...filled({ EventRecordID: first('RecordNumber', 'ad.EventRecordID', 'EventRecordID', 'ad.RecordNumber') }),
      ...filled({ Computer: first('dvchost', 'Hostname', 'Computer', 'dhost', 'identHostName') }),
    },
    EventData: {
      ...messageData(provider, eventId, message),
      ...standardData(provider, eventId, pairs),
      ...ownData(provider, eventId, pairs),
    },
    RenderingInfo: filled({ Message: message === '' ? line.title : message, Task: first('Category') }),
  };
}

interface Identity {
  readonly provider: string;
  readonly eventId: string;
  readonly channel: string;
}

function identityOf(
  { vendor, product, id, pairs }: NamedLine,
  first: (...keys: readonly string[]) => string,
): Identity | undefined {
  const [, named = '', numbered = ''] = providerAndId.exec(id) ?? [];
  const eventId = numbered || first('EventID', 'EventIDCode', 'externalId') || (/^\d{1,5}$/.test(id) ? id : '');
  const log = first('Channel', 'AgentLogFile', 'deviceFacility', 'cat');
  const isMicrosoft = vendor === 'Microsoft' && (named !== '' || /windows/i.test(product));
  const isOwn = pairs.has('SourceName') || pairs.has('AgentLogFile');
  const isNamed = named.startsWith('Microsoft-Windows-');
  if (!/^\d{1,5}$/.test(eventId) || !(isMicrosoft || isOwn || isNamed)) return undefined;
  const provider = providerOf(named || first('SourceName', 'Source'), log, eventId);
  const isLog = /^(?:Security|System|Application|Setup|Windows PowerShell)$|\//.test(log);
  const channel = channelOf(provider, eventId) ?? (isLog ? log : '');
  return provider === '' && channel === '' ? undefined : { provider, eventId, channel };
}

/** Data under the names that it has in the event, before which connectors write that they added it. */
function ownData(provider: string, eventId: string, pairs: ReadonlyMap<string, string>): JsonObject {
  const known = new Set(everyDataName(provider, eventId));
  const data: Record<string, string> = {};
  for (const [key, value] of pairs) {
    const name = key.startsWith('ad.') ? key.slice(3) : key;
    const isOwn = known.size > 0 ? known.has(name) : key !== name || /^[A-Z][A-Za-z\d_]*$/.test(name);
    if (isOwn && value !== '' && !about.has(name)) data[name] = value;
  }
  return told(data);
}

function timeOf(pairs: ReadonlyMap<string, string>): string | undefined {
  for (const key of timeKeys) {
    const time = dotNetTime(pairs.get(key));
    if (time !== undefined) return time;
  }
  return undefined;
}

function isSaid(value: string): boolean {
  return value !== '';
}
