import { flatSystemNames } from '../json/flat-names.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { isWindowsTable, windowsTableRow } from '../log-analytics/windows-table.ts';
import { eventLogEvent, eventViewerEvent, eventViewerNames, isEventLog } from '../windows-forms/event-log.ts';
import { evtxECmdEvent, isEvtxECmd } from '../windows-forms/evtxecmd.ts';
import { isWinEvent, winEvent } from '../windows-forms/win-event.ts';

/** Columns of exports of Windows events by the name that the event has the value under, in lower case. */
const columnNames: ReadonlyMap<string, string> = new Map([
  ['id', 'EventID'],
  ['event id', 'EventID'],
  ['event_id', 'EventID'],
  ['log name', 'Channel'],
  ['provider', 'Provider_Name'],
  ['date and time', 'TimeCreated_SystemTime'],
]);

/** Whether a table's rows are Windows events. */
export function areWindowsEvents(names: readonly string[]): boolean {
  if (rowForm(names) !== undefined) return true;
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const has = (...any: string[]): boolean => any.some((name) => lower.has(name));
  return (
    has('eventid', 'event_id', 'event id', 'eventcode') &&
    has('channel', 'logname', 'log name', 'provider', 'provider_name', 'providername', 'sourcename', 'computer')
  );
}

/** Makes of a table's rows the objects that the reader of Windows JSON knows; texts may be more than its names. */
export function windowsRow(columns: readonly string[]): (texts: readonly string[]) => JsonObject {
  const toEvent = rowForm(columns);
  const names = eventViewerNames(columns) ?? columns;
  if (toEvent !== undefined)
    return (texts) => toEvent(Object.fromEntries(names.map((name, i) => [name, texts[i] ?? ''])));
  const keys = names.map(keyOf);
  return (texts) => {
    const row: Record<string, JsonValue> = {};
    for (const [i, key] of keys.entries()) {
      const text = texts[i] ?? '';
      // A column that this kind of event does not have is empty too.
      if (text !== '') row[key] = text;
    }
    return row;
  };
}

/** What makes events of rows that a tool has written with columns of its own. */
function rowForm(names: readonly string[]): ((row: JsonObject) => JsonObject) | undefined {
  const has = (name: string): boolean => names.includes(name);
  if (isEvtxECmd(names)) return evtxECmdEvent;
  if (isWinEvent(has)) return winEvent;
  if (isEventLog(has)) return eventLogEvent;
  if (eventViewerNames(names) !== undefined) return eventViewerEvent;
  return isWindowsTable(names) ? windowsTableRow : undefined;
}

function keyOf(name: string): string {
  const lower = name.toLowerCase();
  return flatSystemNames.has(lower) ? name : (columnNames.get(lower) ?? name);
}
