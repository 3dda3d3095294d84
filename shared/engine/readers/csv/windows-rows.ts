import { flatSystemNames } from '../json/flat-names.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { isWindowsTable, windowsTableRow } from '../log-analytics/windows-table.ts';

/** Columns of exports of Windows events by the name that the event has the value under, in lower case. */
const columnNames: ReadonlyMap<string, string> = new Map([
  ['id', 'EventID'],
  ['event id', 'EventID'],
  ['event_id', 'EventID'],
  ['log name', 'Channel'],
  ['provider', 'Provider_Name'],
  ['date and time', 'TimeCreated_SystemTime'],
]);
/** In a table of flat events these are the event's own, not what EvtxECmd has of the provider's process. */
const executionNames: ReadonlyMap<string, string> = new Map([
  ['processid', 'Execution_ProcessID'],
  ['threadid', 'Execution_ThreadID'],
  ['userid', 'Security_UserID'],
]);
/** What EvtxECmd adds of its own, much of it a second time. */
const derivedColumns =
  /^(?:RecordNumber|ChunkNumber|MapDescription|UserName|RemoteHost|PayloadData\d|ExecutableInfo|HiddenRecord|SourceFile|ExtraDataOffset|Payload)$/;

/** Whether a table's rows are Windows events. */
export function areWindowsEvents(names: readonly string[]): boolean {
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const has = (...any: string[]): boolean => any.some((name) => lower.has(name));
  if (has('eventid', 'event_id', 'event id', 'eventcode')) {
    return has('channel', 'logname', 'log name', 'provider', 'provider_name', 'providername', 'sourcename', 'computer');
  }
  return has('id') && has('logname') && has('providername');
}

/** Makes of a table's rows the objects that the reader of Windows JSON knows. */
export function windowsRow(names: readonly string[]): (texts: readonly string[]) => JsonObject {
  const isEvtxECmd = names.includes('Payload') && names.includes('MapDescription');
  const keys = names.map((name) => keyOf(name, isEvtxECmd));
  const payload = isEvtxECmd ? names.indexOf('Payload') : -1;
  if (isWindowsTable(names)) {
    return (texts) => windowsTableRow(Object.fromEntries(names.map((name, i) => [name, texts[i] ?? ''])));
  }
  return (texts) => {
    const row: Record<string, JsonValue> = {};
    for (const [i, key] of keys.entries()) {
      const text = texts[i] ?? '';
      // A column that this kind of event does not have is empty too.
      if (key !== undefined && text !== '') row[key] = text;
    }
    return payload < 0 ? row : { ...row, ...payloadOf(texts[payload] ?? '') };
  };
}

function keyOf(name: string, isEvtxECmd: boolean): string | undefined {
  if (isEvtxECmd && derivedColumns.test(name)) return undefined;
  const lower = name.toLowerCase();
  if (flatSystemNames.has(lower)) return name;
  return (isEvtxECmd ? executionNames.get(lower) : undefined) ?? columnNames.get(lower) ?? name;
}

/** EvtxECmd's `Payload`: the event's data as JSON, with attributes under names that begin with `@`. */
function payloadOf(text: string): JsonObject {
  try {
    const payload = JSON.parse(text) as JsonValue;
    return isObject(payload) ? (withAttributes(payload) as JsonObject) : {};
  } catch {
    return {};
  }
}

function withAttributes(value: JsonValue, depth = 0): JsonValue {
  if (depth > 64 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withAttributes(item, depth + 1));
  const attributes: Record<string, JsonValue> = {};
  const rest: Record<string, JsonValue> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (key.startsWith('@')) attributes[key.slice(1)] = inner!;
    else rest[key] = withAttributes(inner!, depth + 1);
  }
  return Object.keys(attributes).length === 0 ? rest : { '#attributes': attributes, ...rest };
}
