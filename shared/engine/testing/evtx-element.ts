import type { EvtxValue } from './evtx-values.ts';

/** An element of an event's XML, with the places that a template fills. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, XmlContent>>;
  readonly children?: readonly (XmlContent | XmlElement)[];
}

/**
 * Content: text as it stands, or a node. `slot` is a value that varies from event to event; where it
 * is `optional`, null leaves the attribute out. `nested` is an element with a template of its own.
 */
export type XmlContent =
  | string
  | { readonly slot: EvtxValue; readonly optional?: boolean }
  | { readonly nested: XmlElement }
  | { readonly cdata: string }
  | { readonly charRef: number }
  | { readonly entity: string }
  | { readonly instruction: string; readonly data: string };

/** One event to write. Absent numbers are 0; an absent `recordId` counts up from 1. */
export interface EvtxEvent {
  readonly provider: string;
  readonly providerGuid?: string;
  readonly eventSourceName?: string;
  readonly eventId: number;
  readonly qualifiers?: number;
  readonly version?: number;
  readonly level?: number;
  readonly task?: number;
  readonly opcode?: number;
  readonly keywords?: bigint;
  /** ISO 8601 in UTC (up to 7 fractional digits), or a FILETIME. */
  readonly time: string | bigint;
  readonly recordId?: number | bigint;
  readonly channel: string;
  readonly computer: string;
  readonly userSid?: string;
  readonly processId?: number;
  readonly threadId?: number;
  readonly activityId?: string;
  readonly relatedActivityId?: string;
  /** EventData: values by name, or unnamed ones. */
  readonly data?: Readonly<Record<string, EvtxValue>> | readonly EvtxValue[];
  /** UserData's root element, instead of EventData. */
  readonly userData?: XmlElement;
  /**
   * How the record is laid out: EventData as a nested instance with its own template (as Windows
   * does), in the event's own template, or no template at all. @default 'nested'
   */
  readonly layout?: 'nested' | 'direct' | 'plain';
}

const namespace = 'http://schemas.microsoft.com/win/2004/08/events/event';

/** The event's XML as Windows lays it out: static texts where all events of a provider agree. */
export function eventElement(event: EvtxEvent, recordId: bigint): XmlElement {
  return {
    name: 'Event',
    attributes: { xmlns: namespace },
    children: [systemElement(event, recordId), ...payload(event)],
  };
}

function systemElement(event: EvtxEvent, recordId: bigint): XmlElement {
  const { providerGuid, eventSourceName, qualifiers } = event;
  return {
    name: 'System',
    children: [
      leaf('Provider', undefined, {
        Name: event.provider,
        ...(providerGuid !== undefined && { Guid: providerGuid }),
        ...(eventSourceName !== undefined && { EventSourceName: eventSourceName }),
      }),
      leaf('EventID', slot('uint16', event.eventId), { Qualifiers: optional('uint16', qualifiers) }),
      leaf('Version', slot('uint8', event.version ?? 0)),
      leaf('Level', slot('uint8', event.level ?? 0)),
      leaf('Task', slot('uint16', event.task ?? 0)),
      leaf('Opcode', slot('uint8', event.opcode ?? 0)),
      leaf('Keywords', slot('hex64', event.keywords ?? 0n)),
      leaf('TimeCreated', undefined, { SystemTime: slot('filetime', event.time) }),
      leaf('EventRecordID', slot('uint64', recordId)),
      leaf('Correlation', undefined, {
        ActivityID: optional('guid', event.activityId),
        RelatedActivityID: optional('guid', event.relatedActivityId),
      }),
      leaf('Execution', undefined, {
        ProcessID: slot('uint32', event.processId ?? 0),
        ThreadID: slot('uint32', event.threadId ?? 0),
      }),
      leaf('Channel', event.channel),
      leaf('Computer', event.computer),
      leaf('Security', undefined, { UserID: optional('sid', event.userSid) }),
    ],
  };
}

function payload(event: EvtxEvent): XmlElement['children'] & object {
  const nest = (element: XmlElement) => ((event.layout ?? 'nested') === 'nested' ? { nested: element } : element);
  if (event.userData !== undefined) return [{ name: 'UserData', children: [nest(event.userData)] }];
  if (event.data === undefined) return [];
  return [nest({ name: 'EventData', children: dataElements(event.data) })];
}

function dataElements(data: EvtxEvent['data'] & object): readonly XmlElement[] {
  if (Array.isArray(data)) return data.map((value: EvtxValue) => leaf('Data', { slot: value }));
  return Object.entries(data).map(([name, value]: [string, EvtxValue]) =>
    leaf('Data', { slot: value }, { Name: name }),
  );
}

function leaf(name: string, content?: XmlContent, attributes?: XmlElement['attributes']): XmlElement {
  return { name, ...(attributes && { attributes }), ...(content !== undefined && { children: [content] }) };
}

function slot(
  type: 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'hex64' | 'filetime',
  value: string | number | bigint,
): XmlContent {
  return { slot: { type, value }, optional: true };
}

function optional(type: 'uint16' | 'guid' | 'sid', value: string | number | undefined): XmlContent {
  return { slot: value === undefined ? null : { type, value }, optional: true };
}
