import { isLeaf, type JsonTree } from '../json/json-tree.ts';
import { isObject, isScalar, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { dotNetTime } from './dot-net-time.ts';
import { hex, innerValue, toldData } from './told-data.ts';
import type { WindowsForm } from './windows-form.ts';

/** What `Get-WinEvent` has of an event beside its data; anything else a script has added, as a rule data by its name. */
const properties = new Set(
  [
    'Id Version Qualifiers Level Task Opcode Keywords RecordId ProviderName ProviderId LogName ProcessId ThreadId',
    'MachineName UserId TimeCreated ActivityId RelatedActivityId ContainerLog MatchedQueryIds Bookmark Properties Message',
    'LevelDisplayName OpcodeDisplayName TaskDisplayName KeywordsDisplayNames PSComputerName RunspaceId PSShowComputerName',
  ].flatMap((names) => names.split(' ')),
);

/** PowerShell's `Get-WinEvent … | ConvertTo-Json`, whole or with some of its properties. */
export const winEventForm: WindowsForm = {
  holds: (record) => isLeaf(record.Id) && isWinEvent((name) => isPresent(record, name)),
  eventIn: winEvent,
};

/** Whether names are those of events of `Get-WinEvent`: who wrote it, or to which log, and what only such events have. */
export function isWinEvent(has: (name: string) => boolean): boolean {
  const isNamed = has('Id') && (has('ProviderName') || has('LogName'));
  return isNamed && ['TimeCreated', 'RecordId', 'MachineName', 'LevelDisplayName'].some(has);
}

function isPresent(record: JsonTree, name: string): boolean {
  return record[name] !== undefined;
}

/** The event of an object or of a row of `Export-Csv`, where columns may be empty. */
export function winEvent(record: JsonObject): JsonObject {
  const told = {
    provider: textOf(record.ProviderName),
    eventId: textOf(record.Id),
    values: valuesOf(record.Properties),
    message: textOf(record.Message),
  };
  const added = Object.entries(record).filter(
    ([name, value]) => !properties.has(name) && isScalar(value) && value !== null && value !== '',
  );
  return {
    System: {
      Provider: filled({ Name: record.ProviderName, Guid: record.ProviderId }),
      ...filled({ EventID: record.Id, Qualifiers: record.Qualifiers, Version: record.Version, Level: record.Level }),
      ...filled({ Task: record.Task, Opcode: record.Opcode, Keywords: keywordsOf(record.Keywords) }),
      TimeCreated: filled({ SystemTime: dotNetTime(record.TimeCreated) }),
      ...filled({ EventRecordID: record.RecordId, Channel: record.LogName, Computer: record.MachineName }),
      Correlation: filled({ ActivityID: record.ActivityId, RelatedActivityID: record.RelatedActivityId }),
      Execution: filled({ ProcessID: record.ProcessId, ThreadID: record.ThreadId }),
      Security: filled({ UserID: innerValue(record.UserId) }),
    },
    EventData: { ...toldData(told), ...Object.fromEntries(added) },
    RenderingInfo: filled({
      Message: record.Message,
      Level: record.LevelDisplayName,
      Task: record.TaskDisplayName,
      Opcode: record.OpcodeDisplayName,
    }),
  };
}

/** Values of the properties; none where PowerShell wrote what type they are of, as it does beyond its depth. */
function valuesOf(list: JsonValue | undefined): readonly JsonValue[] {
  const items = isObject(list) ? [list] : list;
  if (!Array.isArray(items)) return [];
  const objects = (items as readonly JsonValue[]).filter(isObject);
  return objects.length === items.length ? objects.map(({ Value: value }) => value ?? null) : [];
}

function keywordsOf(value: JsonValue | undefined): JsonValue | undefined {
  return /^-?\d+$/.test(textOf(value)) ? hex(textOf(value), 64) : value;
}

export function textOf(value: JsonValue | undefined): string {
  return isScalar(value) && value !== null ? String(value) : '';
}

/** Members that say something. */
export function filled(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
