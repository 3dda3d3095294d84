import { evtxTexts } from '../../shared/engine/testing/index.ts';
import { type XmlTree, xmlTree } from './xml-tree.ts';

/** An event as tests write it in the forms of tools. */
export interface WrittenEvent {
  readonly provider: string;
  readonly id: string;
  readonly time: string;
  readonly recordId: string;
  readonly channel: string;
  readonly computer: string;
  /** Values in their order; without a name where the event has none. */
  readonly data: readonly (readonly [name: string, text: string])[];
  /** Element of UserData that they are in. */
  readonly root: XmlTree | undefined;
}

type Json = unknown;

/** The forms that carry the names of data, and those that do not, each as a text with all events of a log. */
export const namedForms = { evtxECmd, evtxECmdXml, wazuh };
export const orderedForms = { winEvent5, winEvent7 };

/** All events of an event log. */
export async function writtenEvents(log: Uint8Array): Promise<readonly WrittenEvent[]> {
  return (await evtxTexts(log)).map(({ xml }) => writtenEvent(xmlTree(xml)));
}

function writtenEvent(event: XmlTree): WrittenEvent {
  const system = child(event, 'System');
  const root = child(event, 'UserData')?.children[0];
  const data = child(event, 'EventData')?.children ?? [];
  return {
    provider: child(system, 'Provider')?.attributes.Name ?? '',
    id: child(system, 'EventID')?.text ?? '',
    time: child(system, 'TimeCreated')?.attributes.SystemTime ?? '',
    recordId: child(system, 'EventRecordID')?.text ?? '',
    channel: child(system, 'Channel')?.text ?? '',
    computer: child(system, 'Computer')?.text ?? '',
    data:
      root === undefined
        ? data
            .filter(({ name }) => name === 'Data')
            .map(({ attributes, text }) => [attributes.Name ?? '', text] as const)
        : leaves(root),
    root,
  };
}

function evtxECmd(events: readonly WrittenEvent[]): string {
  const lines = events.map(({ provider, id, time, recordId, channel, computer, data, root }) => ({
    PayloadData1: 'some of it',
    MapDescription: 'a description',
    ChunkNumber: 0,
    Computer: computer,
    Payload: JSON.stringify(
      root === undefined ? { EventData: { Data: dataXml(data) } } : { UserData: { [root.name]: elementJson(root) } },
    ),
    Channel: channel,
    Provider: provider,
    EventId: Number(id),
    EventRecordId: recordId,
    ProcessId: 4,
    ThreadId: 8,
    Level: 'LogAlways',
    SourceFile: String.raw`C:\logs\x.evtx`,
    TimeCreated: time.replace('Z', '+00:00'),
    RecordNumber: Number(recordId),
  }));
  return lines.map((line) => JSON.stringify(line)).join('\r\n');
}

/** All of the XML, as `--fj` has it. */
function evtxECmdXml(events: readonly WrittenEvent[]): string {
  const lines = events.map(({ provider, id, time, recordId, channel, computer, data, root }) => ({
    Event: {
      '@xmlns': 'http://schemas.microsoft.com/win/2004/08/events/event',
      System: {
        Provider: { '@Name': provider },
        EventID: { '@Qualifiers': '0', '#text': id },
        TimeCreated: { '@SystemTime': time },
        EventRecordID: recordId,
        Channel: channel,
        Computer: computer,
      },
      ...(root === undefined
        ? { EventData: { Data: dataXml(data) } }
        : { UserData: { [root.name]: elementJson(root) } }),
    },
  }));
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

function dataXml(data: WrittenEvent['data']): Json {
  const items = data.map(([name, text]) => {
    if (name === '') return text;
    return text === '' ? { '@Name': name } : { '@Name': name, '#text': text };
  });
  return items.length === 1 ? items[0] : items;
}

function elementJson(element: XmlTree): Json {
  const attributes = Object.entries(element.attributes).map(([name, value]) => [`@${name}`, value] as const);
  if (element.children.length === 0 && attributes.length === 0) return element.text;
  const members: Record<string, Json> = Object.fromEntries(attributes);
  if (element.text.trim() !== '') members['#text'] = element.text;
  for (const inner of element.children) {
    const known = members[inner.name];
    const value = elementJson(inner);
    members[inner.name] =
      known === undefined ? value : Array.isArray(known) ? [...(known as Json[]), value] : [known, value];
  }
  return members;
}

/** What is empty or a hyphen is not written; backslashes and quotes are escaped twice. */
function wazuh(events: readonly WrittenEvent[]): string {
  const lines = events.map(({ provider, id, time, recordId, channel, computer, data, root }) => {
    const told = Object.fromEntries(
      data.filter(([, text]) => text !== '' && text !== '-').map(([name, text]) => [small(name), escaped(text)]),
    );
    const unnamed = data.filter(([name]) => name === '').map(([, text]) => escaped(text));
    return {
      timestamp: time.replace('Z', '+0000'),
      rule: { level: 3, id: '60000' },
      agent: { id: '001', name: 'WS1' },
      manager: { name: 'manager' },
      decoder: { name: 'windows_eventchannel' },
      location: 'EventChannel',
      data: {
        win: {
          system: {
            providerName: provider,
            eventID: id,
            systemTime: time,
            eventRecordID: recordId,
            channel,
            computer,
            message: '"An event.\r\nOf some kind."',
          },
          [root === undefined ? 'eventdata' : small(root.name)]: unnamed.length > 0 ? { data: unnamed } : told,
        },
      },
    };
  });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, String.raw`\$&`);
}

/** As PowerShell 5.1 writes it: indented, times in milliseconds; to a file, in UTF-16. */
function winEvent5(events: readonly WrittenEvent[]): Uint8Array {
  const text = numbersOf(
    JSON.stringify(
      events.map((event) => winEvent(event, `/Date(${Date.parse(event.time)})/`)),
      null,
      4,
    ),
  );
  return new Uint8Array(Buffer.from(`\uFEFF${text.replaceAll('/Date(', String.raw`\/Date(`)}\r\n`, 'utf16le'));
}

function winEvent7(events: readonly WrittenEvent[]): string {
  return numbersOf(
    JSON.stringify(
      events.map((event) => winEvent(event, event.time.replace('Z', '+00:00'))),
      null,
      2,
    ),
  );
}

/** Events of Sysmon of which only the message tells the data, as PowerShell writes beyond its depth. */
export function sysmonMessages(events: readonly WrittenEvent[]): string {
  return JSON.stringify(
    events.map((event) => ({
      ...winEvent(event, event.time),
      Properties: event.data.map(() => 'System.Diagnostics.Eventing.Reader.EventProperty'),
      Message: ['Something happened:', ...event.data.map(([name, text]) => `${name}: ${text}`)].join('\r\n'),
    })),
  );
}

/** Lines as Snare's agents send them, of events whose message has a line for each value, as Sysmon's does. */
export function snareLines(events: readonly WrittenEvent[]): string {
  return events
    .map(({ provider, id, time, recordId, channel, computer, data }) => {
      const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/
        .exec(new Date(time).toUTCString())!
        .map(String);
      const when = `Mon ${month} ${day} ${clock} ${year}`;
      const lines = ['Something happened:', ...data.map(([name, text]) => `${name}: ${text}`)];
      const message = lines.join('\r\n').replaceAll(/[\r\n\t]/g, ' ');
      const values = ['1', channel, '7', when, id, provider, 'SYSTEM', 'User', 'Information', computer, 'None', ''];
      return `<14>Mar  4 08:15:01 ${computer}\tMSWinEventLog\t${[...values, message, recordId].join('\t')}`;
    })
    .join('\n');
}

function winEvent(
  { provider, id, recordId, channel, computer, data }: WrittenEvent,
  time: string,
): Record<string, Json> {
  return {
    Id: Number(id),
    Version: 0,
    Qualifiers: null,
    Level: 4,
    Task: 0,
    Opcode: 0,
    Keywords: -9_223_372_036_854_775_808,
    RecordId: Number(recordId),
    ProviderName: provider,
    ProviderId: '54849625-5478-4994-a5ba-3e3b0328c30d',
    LogName: channel,
    ProcessId: 4,
    ThreadId: 8,
    MachineName: computer,
    UserId: { BinaryLength: 12, AccountDomainSid: null, Value: 'S-1-5-18' },
    TimeCreated: time,
    ContainerLog: channel,
    MatchedQueryIds: [],
    Bookmark: {},
    LevelDisplayName: 'Information',
    KeywordsDisplayNames: ['Audit Success'],
    Properties: data.map(([, text]) => ({ Value: netValue(text) })),
    Message: null,
  };
}

const mark = '\u0001';

/** What .NET has for a value: numbers, of which JSON tells no base, and identifiers without braces. */
function netValue(text: string): string {
  if (/^0x[\da-f]{1,16}$/i.test(text)) return `${mark}${BigInt(text)}${mark}`;
  return text.replace(/^\{([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\}$/i, '$1');
}

function numbersOf(json: string): string {
  return json.replace(/"\\u0001(\d+)\\u0001"/g, '$1');
}

function leaves(element: XmlTree): (readonly [string, string])[] {
  return element.children.flatMap((inner) =>
    inner.children.length === 0 ? [[inner.name, inner.text] as const] : leaves(inner),
  );
}

function child(element: XmlTree | undefined, name: string): XmlTree | undefined {
  return element?.children.find((inner) => inner.name === name);
}

function small(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
