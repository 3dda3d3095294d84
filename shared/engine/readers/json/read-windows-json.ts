import { isEcsDevice } from '../endpoint/ecs.ts';
import { endpointOf } from '../endpoint/endpoint-profile.ts';
import { isTableRow } from '../log-analytics/table-profiles.ts';
import { ObjectEvent } from '../objects/object-event.ts';
import { ObjectPlan } from '../objects/object-plan.ts';
import { readRecords } from '../read-records.ts';
import type { Reader } from '../reader.ts';
import { windowsEventOf } from '../windows-forms/forms.ts';
import { flattenEvent } from './flatten-event.ts';
import { flattenWinlogbeat } from './flatten-winlogbeat.ts';
import { JsonFramer } from './json-framer.ts';
import { JsonScan } from './json-scan.ts';
import { isTree, type JsonTree } from './json-tree.ts';
import { type Flatten, WindowsJsonEvent } from './windows-json-event.ts';

/**
 * Reads Windows events in JSON (json_evtx and json_winlogbeat): objects on lines, in an array, or
 * one after another. The layout is told record by record, so mixed files are read too, also with rows of other tables
 * and records of endpoint products among the events.
 */
export const readWindowsJson: Reader = (source, tables, visit, options) => {
  const scan = new JsonScan();
  const event = new WindowsJsonEvent(tables, flattenRecord, {
    eventOf: windowsEventOf,
    asideOf: (record) => (isDevice(record) ? new ObjectPlan(record, scan) : undefined),
  });
  const product = new ObjectEvent(tables);
  let framer: JsonFramer;
  return readRecords(
    source,
    (report) => (framer = new JsonFramer(report, undefined, scan)),
    (bytes, start, _end, offset) => {
      if (!framer.isScanned && !scan.scan(bytes, start)) return 'record-malformed';
      const taken = event.takeScanned(scan, offset);
      if (typeof taken === 'boolean') {
        visit(event);
        if (!taken) return 'record-too-wide';
        return event.isDataUntold ? 'event-data-untold' : undefined;
      }
      product.takePlanned(taken.isRow ? taken.filled() : taken, offset);
      visit(product);
      return scan.isCut ? 'record-too-wide' : undefined;
    },
    options,
  );
};

/** Whether a record is no Windows event, but what an agent of the same shippers has seen on a device. */
function isDevice(record: JsonTree): boolean {
  const { _source: document } = record;
  return isEcsDevice(isTree(document) ? document : record) || isRowOfOthers(record);
}

/** Keys without which nothing is a Windows event that is in no other form. */
const eventKeys = ['EventID', 'EventId', 'EventCode', 'Id', 'Event', 'System', 'winlog', 'event_id', 'Channel'];

/** Whether it is a row of a table of other events, a record of Azure's or of an endpoint product, by its keys. */
function isRowOfOthers(record: JsonTree): boolean {
  const has = (key: string): boolean => Object.hasOwn(record, key);
  if (eventKeys.some(has)) return false;
  return isTableRow(record) || (has('operationName') && has('category')) || endpointOf(record) !== undefined;
}

/** The values of a record in any of the layouts. */
export const flattenRecord: Flatten = (record, sink) => {
  // Elasticsearch gives documents out with their content in here.
  const { _source: document } = record;
  const source = isTree(document) ? document : record;
  if (isShipped(source)) flattenWinlogbeat(source, sink);
  else flattenEvent(source, sink);
};

/** Whether a shipper has put the event under its own names. */
function isShipped(record: JsonTree): boolean {
  return isTree(record.winlog) || (isTree(record.agent) && !isTree(record.Event));
}
