import { JsonFramer } from '../json/json-framer.ts';
import { JsonScan } from '../json/json-scan.ts';
import type { ByteSource, Reader } from '../reader.ts';
import { readRecords } from '../read-records.ts';
import { JournalEvent } from './journal-event.ts';
import { JournalFramer } from './journal-framer.ts';

/** Reads the systemd journal (journald): its export format, and its JSON, on lines or indented. */
export const readJournald: Reader = async (source, tables, visit, options) => {
  const event = new JournalEvent(tables);
  if (await isJson(source)) {
    const scan = new JsonScan();
    let framer!: JsonFramer;
    return readRecords(
      source,
      (report) => (framer = new JsonFramer(report, undefined, scan)),
      (bytes, start, _end, offset) => {
        const isScanned = framer.isScanned || scan.scan(bytes, start);
        if (!isScanned || !event.takeScanned(scan, offset)) return 'record-malformed';
        visit(event);
        return scan.isCut ? 'record-too-wide' : undefined;
      },
      options,
    );
  }
  return readRecords(
    source,
    (report) => new JournalFramer(report),
    (bytes, start, end, offset) => {
      if (!event.takeExport(bytes, start, end, offset)) return 'record-malformed';
      visit(event);
      return undefined;
    },
    options,
  );
};

/** Whether the first byte that is no blank, mark of encoding or separator opens an object or an array. */
async function isJson(source: ByteSource): Promise<boolean> {
  const head = new Uint8Array(256);
  const count = await source.read(0, head);
  const first = head.subarray(0, count).find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x7b || first === 0x5b;
}
