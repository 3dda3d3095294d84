import { isLeaf, isTree } from '../json/json-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { logTime } from '../named/log-time.ts';
import type { WindowsForm } from '../windows-forms/windows-form.ts';
import { xmlObject } from './xml-object.ts';

/** Names of the event's own by those of the columns of SecurityEvent, Event and WindowsEvent. */
const columnNames: ReadonlyMap<string, string> = new Map([
  ['EventSourceName', 'Provider_Name'],
  ['Source', 'Provider_Name'],
  ['Provider', 'Provider_Name'],
  ['EventLog', 'Channel'],
  ['EventRecordId', 'EventRecordID'],
  ['SystemProcessId', 'Execution_ProcessID'],
  ['SystemThreadId', 'Execution_ThreadID'],
  ['SystemUserId', 'Security_UserID'],
  ['RenderedDescription', 'Message'],
]);
const channelColumns = ['Channel', 'EventLog', 'EventSourceName', 'Source', 'Provider'];
/** Columns that hold the event's data as XML or JSON. */
const dataColumns = ['EventData', 'EventData_dynamic', 'ParameterXml'];
/** What a query that unites tables writes behind the names of columns that are of two types there. */
const typeMark = /_(?:string|dynamic|long|int|datetime|guid|bool|real)$/;

/** Whether columns are those of a table of Windows events in Log Analytics. */
export function isWindowsTable(columns: readonly string[]): boolean {
  return columns.includes('EventID') && columns.includes('TimeGenerated');
}

/** Rows of those tables. */
export const tableForm: WindowsForm = {
  holds: (record) => isWindowsTable(Object.keys(record)),
  eventIn: windowsTableRow,
};

/** Records of Azure Monitor that the diagnostics extension has put an event's XML into. */
export const rawXmlForm: WindowsForm = {
  holds: ({ properties }) => isTree(properties) && isLeaf(properties.RawXml),
  eventIn({ properties }) {
    const xml = isObject(properties) ? properties.RawXml : undefined;
    return (typeof xml === 'string' ? xmlObject(xml) : undefined) ?? (isObject(properties) ? properties : {});
  },
};

/** A row of a table of Windows events; a column that this kind of event does not have is empty. */
export function windowsTableRow(row: JsonObject): JsonObject {
  const event: Record<string, JsonValue> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined || value === null || value === '' || column === 'TimeGenerated') continue;
    if (dataColumns.includes(column)) continue;
    event[columnNames.get(column) ?? ownName(column, row)] = value;
  }
  const time = row.TimeGenerated;
  event.TimeCreated_SystemTime = typeof time === 'string' ? (logTime(time) ?? time) : (time ?? null);
  // Rows of the other tables name their log; those of SecurityEvent need not.
  if (!channelColumns.some((name) => Object.hasOwn(row, name))) event.Channel = 'Security';
  for (const column of dataColumns) {
    const data = dataOf(row[column]);
    if (data === undefined) continue;
    event.EventData = data;
    break;
  }
  return event;
}

function ownName(column: string, row: JsonObject): string {
  const name = column.replace(typeMark, '');
  return Object.hasOwn(row, name) ? column : name;
}

/** Data of an event: an object, or one as JSON or XML; what is neither is no data by names. */
function dataOf(value: JsonValue | undefined): JsonObject | undefined {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.startsWith('[')) return listed(text);
  if (text.startsWith('{')) return objectOf(text);
  if (!text.startsWith('<')) return undefined;
  // `<DataItem><EventData>`, `<EventData>` or, in ParameterXml, `<Param>` after `<Param>`.
  const parsed = xmlObject(text);
  if (parsed === undefined) return undefined;
  const item = isObject(parsed.DataItem) ? parsed.DataItem : parsed;
  if (isObject(item.EventData)) return item.EventData;
  return item.Param === undefined ? item : { Data: item.Param };
}

function listed(text: string): JsonObject | undefined {
  const parsed = parsedText(text);
  return Array.isArray(parsed) ? { Data: parsed as readonly JsonValue[] } : undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const parsed = parsedText(text);
  return isObject(parsed) ? parsed : undefined;
}

function parsedText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
