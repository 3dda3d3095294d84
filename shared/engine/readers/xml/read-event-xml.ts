import type { Reader } from '../reader.ts';
import { readRecords } from '../read-records.ts';
import { EventFramer } from './event-framer.ts';
import { EventXmlEvent } from './event-xml-event.ts';

/** Reads Windows event XML (xml_evtx): a run of `Event` elements, or an `Events` document. */
export const readEventXml: Reader = (source, tables, visit, options) => {
  const event = new EventXmlEvent(tables);
  return readRecords(
    source,
    (report) => new EventFramer(report),
    (bytes, start, end, offset) => {
      const problem = event.take(bytes, start, end, offset);
      if (problem !== 'record-malformed') visit(event);
      return problem;
    },
    options,
  );
};
