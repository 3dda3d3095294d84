import { isLeaf } from '../json/json-tree.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { parsedAttributes } from './at-attributes.ts';
import type { WindowsForm } from './windows-form.ts';

/** What EvtxECmd has of the provider's process is the event's own. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['EventId', 'EventID'],
  ['Provider', 'Provider_Name'],
  ['ProcessId', 'Execution_ProcessID'],
  ['ThreadId', 'Execution_ThreadID'],
  ['UserId', 'Security_UserID'],
]);
/** What it adds of its own, much of it a second time. */
const derived =
  /^(?:RecordNumber|ChunkNumber|MapDescription|UserName|RemoteHost|PayloadData\d|ExecutableInfo|HiddenRecord|SourceFile|ExtraDataOffset|Payload)$/;

/** EvtxECmd's `--json`: the columns of its table, without those that a record has no value for. */
export const evtxECmdForm: WindowsForm = {
  holds: ({ EventId: id, Payload: payload, Channel: channel, RecordNumber: number }) =>
    [id, payload, channel, number].every(isLeaf),
  eventIn: evtxECmdEvent,
};

/** Whether columns are those of EvtxECmd's table. */
export function isEvtxECmd(columns: readonly string[]): boolean {
  return columns.includes('Payload') && columns.includes('MapDescription');
}

/** The event of a row; a column that it has no value for may be empty. */
export function evtxECmdEvent(row: JsonObject): JsonObject {
  const event: Record<string, JsonValue> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value !== undefined && value !== '' && !derived.test(column)) event[ownNames.get(column) ?? column] = value;
  }
  return typeof row.Payload === 'string' ? { ...event, ...parsedAttributes(row.Payload) } : event;
}
