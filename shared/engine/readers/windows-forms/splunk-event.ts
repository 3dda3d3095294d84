import { isLeaf } from '../json/json-tree.ts';
import type { JsonObject } from '../json/json-value.ts';
import { dotNetTime } from './dot-net-time.ts';
import { providerOf } from './event-log.ts';
import { toldData } from './told-data.ts';
import { filled, textOf } from './win-event.ts';
import type { WindowsForm } from './windows-form.ts';

/** What Splunk's add-on for Windows calls what is not data of an event; it calls many of them twice. */
const own = new Set(
  'LogName EventCode EventType Type ComputerName SourceName RecordNumber Keywords TaskCategory OpCode Message TimeGenerated User Sid SidType _time _raw host source sourcetype index'.split(
    ' ',
  ),
);
/** A Windows event under Splunk's names, its data in the message or beside it. */
export const splunkForm: WindowsForm = {
  holds: ({ LogName: log, EventCode: code, SourceName: source }) => isLeaf(log) && isLeaf(code) && isLeaf(source),
  eventIn(record) {
    const { _time: indexed } = record;
    const eventId = textOf(record.EventCode);
    const provider = providerOf(textOf(record.SourceName), textOf(record.LogName), eventId);
    const beside = Object.entries(record).filter(([key]) => !own.has(key));
    return {
      System: {
        Provider: filled({ Name: provider }),
        TimeCreated: filled({ SystemTime: dotNetTime(record.TimeGenerated) ?? indexed }),
        ...filled({ EventID: eventId, EventRecordID: record.RecordNumber, Channel: record.LogName }),
        ...filled({ Computer: record.ComputerName ?? record.host }),
      },
      EventData: {
        ...filled(Object.fromEntries(beside)),
        ...toldData({ provider, eventId, values: [], message: textOf(record.Message) }),
      },
      RenderingInfo: filled({ Message: record.Message, Task: record.TaskCategory, Opcode: record.OpCode }),
    } satisfies JsonObject;
  },
};
