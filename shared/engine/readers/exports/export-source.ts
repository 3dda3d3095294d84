import { ForwardSource } from '../compressed/forward-source.ts';
import { readRows } from '../csv/read-csv.ts';
import { readRecords } from '../read-records.ts';
import { readLineRecords } from '../text/read-line-records.ts';
import type { ByteSource, ReadProblem, ReadReport } from '../reader.ts';
import { recordFramer, takeOutOf } from './carried.ts';
import { type Carrier, lineColumnOf } from './carriers.ts';
import { pulled } from './pulled.ts';
import { WindowsBlocks } from './windows-blocks.ts';

const LINE_FEED = 0x0a;
const lineFeed = Uint8Array.of(LINE_FEED);
const encoder = new TextEncoder();

/** How an export holds what was logged. */
export type ExportForm = { readonly kind: 'table' } | { readonly kind: 'blocks' } | RecordsForm;

interface RecordsForm {
  readonly kind: 'records';
  readonly carrier: Carrier;
  /** Whether the records are a list in an object. */
  readonly isWrapped: boolean;
}

/** The log that an export holds, as it was before: its lines or objects, each with a line break behind it. */
export class ExportSource extends ForwardSource {
  readonly #readings: Readings;

  constructor(source: ByteSource, form: ExportForm) {
    const readings: Readings = { latest: new Reading() };
    super(() => {
      const reading = (readings.latest = new Reading());
      return pulled(source, async (waiting, put) => {
        reading.problems = (await readExport(waiting, form, put, reading)).problems;
        readings.whole = reading;
      });
    });
    this.#readings = readings;
  }

  /** Bytes of the export taken in so far. */
  get bytesRead(): number {
    return this.#readings.latest.bytesRead;
  }

  /** What was wrong with the export; to be asked for after reading. */
  problems(): readonly ReadProblem[] {
    const { whole, latest } = this.#readings;
    return (whole ?? latest).allProblems();
  }
}

/** Parts of a log may be read again, which tells less than when all of it was read. */
interface Readings {
  latest: Reading;
  whole?: Reading;
}

type Put = (piece: Uint8Array) => void;

/** How far an export was read, and what was met on the way. */
class Reading {
  bytesRead = 0;
  problems: readonly ReadProblem[] = [];
  #without = 0;
  #firstWithout = 0;
  readonly options = { onProgress: (bytesDone: number): void => void (this.bytesRead = bytesDone) };

  addWithout(offset: number): void {
    if (this.#without++ === 0) this.#firstWithout = offset;
  }

  allProblems(): readonly ReadProblem[] {
    if (this.#without === 0) return this.problems;
    const message = 'A record of the export does not hold what was logged where the first one does, and was left out.';
    return [...this.problems, { code: 'export-record', message, offset: this.#firstWithout, count: this.#without }];
  }
}

function readExport(source: ByteSource, form: ExportForm, put: Put, reading: Reading): Promise<ReadReport> {
  if (form.kind === 'records') return readObjects(source, form, put, reading);
  return form.kind === 'table' ? readTable(source, put, reading) : readBlocks(source, put, reading);
}

function readBlocks(source: ByteSource, put: Put, reading: Reading): Promise<ReadReport> {
  const blocks = new WindowsBlocks((object) => putLine(encoder.encode(object), put));
  return readLineRecords(source, () => blocks, reading.options);
}

function readObjects(
  source: ByteSource,
  { carrier, isWrapped }: RecordsForm,
  put: Put,
  reading: Reading,
): Promise<ReadReport> {
  const takeOut = takeOutOf(carrier);
  return readRecords(
    source,
    (report) => recordFramer(report, isWrapped),
    (bytes, start, end, offset) => {
      const line = takeOut(bytes, start, end);
      if (line === undefined) reading.addWithout(offset);
      else putLine(line, put);
      return undefined;
    },
    reading.options,
  );
}

function readTable(source: ByteSource, put: Put, reading: Reading): Promise<ReadReport> {
  return readRows(
    source,
    (names) => {
      const column = names[lineColumnOf(names)];
      if (column === undefined) return undefined;
      return (row, offset) => {
        const line = row[column];
        if (typeof line === 'string' && line !== '') putLine(encoder.encode(line), put);
        else reading.addWithout(offset);
        return true;
      };
    },
    reading.options,
  );
}

function putLine(line: Uint8Array, put: Put): void {
  put(line);
  if (line.at(-1) !== LINE_FEED) put(lineFeed);
}
