import { JsonFramer } from '../json/json-framer.ts';
import { readRecords } from '../read-records.ts';
import type { Reader } from '../reader.ts';
import { ObjectEvent } from './object-event.ts';
import { ObjectRecords } from './object-records.ts';
import { wrapperKeys } from './wrappers.ts';

/**
 * Reads JSON of any product: objects on lines, in an array, one after another, or as the list in a
 * wrapper such as `{"Records": […]}`. What each object is, its keys tell (detection-engine 1.2.4).
 */
export const readObjects: Reader = (source, tables, visit, options) => {
  const event = new ObjectEvent(tables);
  const records = new ObjectRecords();
  const { scan } = records;
  let framer: JsonFramer;
  return readRecords(
    source,
    (report) => (framer = new JsonFramer(report, wrapperKeys, scan)),
    (bytes, start, _end, offset) => {
      if (!framer.isScanned && !scan.scan(bytes, start)) return 'record-malformed';
      event.takePlanned(records.plan(), offset);
      visit(event);
      return scan.isCut ? 'record-too-wide' : undefined;
    },
    options,
  );
};
