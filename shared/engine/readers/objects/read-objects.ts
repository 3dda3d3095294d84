import { osqueryRows, osqueryWindowsEvent } from '../endpoint/osquery.ts';
import { JsonFramer } from '../json/json-framer.ts';
import { plainValue } from '../json/json-tree.ts';
import type { JsonObject } from '../json/json-value.ts';
import { flattenRecord } from '../json/read-windows-json.ts';
import { WindowsJsonEvent } from '../json/windows-json-event.ts';
import { readRecords } from '../read-records.ts';
import type { Reader } from '../reader.ts';
import { ObjectEvent } from './object-event.ts';
import { ObjectRecords } from './object-records.ts';
import { isDataUntold } from '../windows-forms/untold-data.ts';
import { wrapperKeys } from './wrappers.ts';

/**
 * Reads JSON of any product: objects on lines, in an array, one after another, or as the list in a
 * wrapper such as `{"Records": […]}`. What each object is, its keys tell (detection-engine 1.2.4). Rows of
 * osquery's snapshots are records of their own, and what it has read of a Windows log is a Windows event, as are those
 * that stand among the records of other products.
 */
export const readObjects: Reader = (source, tables, visit, options) => {
  const event = new ObjectEvent(tables);
  const windows = new WindowsJsonEvent(tables, flattenRecord);
  const records = new ObjectRecords();
  const { scan } = records;
  let framer: JsonFramer;
  return readRecords(
    source,
    (report) => (framer = new JsonFramer(report, wrapperKeys, scan)),
    (bytes, start, _end, offset) => {
      if (!framer.isScanned && !scan.scan(bytes, start)) return 'record-malformed';
      const plan = records.plan();
      if (plan.holdsRows) {
        const rows = osqueryRows(plainValue(plan.tree) as JsonObject);
        for (const row of rows) {
          const inner = osqueryWindowsEvent(row);
          if (inner === undefined) event.take(row, offset);
          else windows.take(inner, offset);
          visit(inner === undefined ? event : windows);
        }
        return rows.length;
      }
      if (plan.eventOf !== null) {
        const inner = plan.eventOf(plainValue(plan.wrapper) as JsonObject);
        const isWhole = windows.take(inner, offset) && !scan.isCut;
        visit(windows);
        if (!isWhole) return 'record-too-wide';
        return isDataUntold(inner) ? 'event-data-untold' : undefined;
      }
      event.takePlanned(plan, offset);
      visit(event);
      return scan.isCut ? 'record-too-wide' : undefined;
    },
    options,
  );
};
