import { readRecords } from '../read-records.ts';
import type { Reader } from '../reader.ts';
import { flattenEvent } from './flatten-event.ts';
import { flattenWinlogbeat } from './flatten-winlogbeat.ts';
import { JsonFramer } from './json-framer.ts';
import { isObject, type JsonObject, parseObject } from './json-value.ts';
import { type Flatten, WindowsJsonEvent } from './windows-json-event.ts';

/**
 * Reads Windows events in JSON (json_evtx and json_winlogbeat): objects on lines, in an array, or
 * one after another. The layout is told record by record, so mixed files are read too.
 */
export const readWindowsJson: Reader = (source, tables, visit, options) => {
  const event = new WindowsJsonEvent(tables, flatten);
  let framer: JsonFramer;
  return readRecords(
    source,
    (report) => (framer = new JsonFramer(report)),
    (bytes, start, end, offset) => {
      const record = parseObject(bytes, start, end, framer.hasLongNumber);
      if (record === undefined) return 'record-malformed';
      const isWhole = event.take(record, offset);
      visit(event);
      return isWhole ? undefined : 'record-too-wide';
    },
    options,
  );
};

const flatten: Flatten = (record, sink) => {
  // Elasticsearch gives documents out with their content in here.
  const { _source: document } = record;
  const source = isObject(document) ? document : record;
  if (isShipped(source)) flattenWinlogbeat(source, sink);
  else flattenEvent(source, sink);
};

/** Whether a shipper has put the event under its own names. */
function isShipped(record: JsonObject): boolean {
  return isObject(record.winlog) || (isObject(record.agent) && !isObject(record.Event));
}
