import type { EventTables } from '../reader.ts';
import type { ProblemLog } from '../problem-log.ts';
import { CHUNK_SIZE, type Chunk } from './chunk.ts';
import { EvtxEvent } from './evtx-event.ts';
import { report } from './evtx-problems.ts';
import { RecordFrame } from './record-frame.ts';
import { searchRecords, walkRecords } from './record-walk.ts';
import { Templates } from './templates.ts';

const TRAILING_SIZE = 4;
/** Small enough that a cancellation is seen in time between two, large enough that reading costs nothing. */
const WINDOW = 16 * CHUNK_SIZE;

const readers = new WeakMap<EventTables, ChunkReader>();

/** The reader of chunks that fills these tables; it keeps its plans from file to file. */
export function chunkReader(tables: EventTables): ChunkReader {
  let reader = readers.get(tables);
  if (reader === undefined) {
    reader = new ChunkReader(tables);
    readers.set(tables, reader);
  }
  return reader;
}

/** Where one read's events and problems go. */
export interface ReadRun {
  readonly visit: (event: EvtxEvent) => void;
  readonly problems: ProblemLog;
  /** Whether the file was carved: nothing in it is taken for granted. */
  readonly carved: boolean;
  readonly recoverSlack: boolean;
  records: number;
}

/** Hands the records of chunks over as events. */
export class ChunkReader {
  /** For the bytes of whole chunks, one read at a time. */
  readonly window = new Uint8Array(WINDOW);
  readonly #templates = new Templates();
  readonly #frame = new RecordFrame(this.#templates);
  readonly #event: EvtxEvent;

  constructor(tables: EventTables) {
    this.#event = new EvtxEvent(this.#frame, tables);
  }

  /** Reads a chunk that has its signature. */
  read(chunk: Chunk, run: ReadRun): void {
    this.#templates.startChunk(chunk);
    const end = walkRecords(chunk, run.carved, {
      record: (start, size) => this.#record(chunk, start, size, run),
      damage: (offset) => report(run.problems, 'record-header', chunk.offset + offset),
    });
    if (run.recoverSlack) this.#recover(chunk, end, run);
  }

  /** Looks for records in what is no chunk, or not any more. */
  search(chunk: Chunk, run: ReadRun): void {
    this.#templates.startChunk(chunk);
    this.#recover(chunk, 0, run);
  }

  #recover(chunk: Chunk, from: number, run: ReadRun): void {
    searchRecords(chunk, from, (start, size) => {
      this.#frame.read(chunk, start, start + size - TRAILING_SIZE);
      // Most of what lies there is half overwritten; only whole events are worth showing.
      if (this.#event.begin(true) && !this.#frame.damaged) this.#visit(run);
    });
  }

  #record(chunk: Chunk, start: number, size: number, run: ReadRun): void {
    this.#frame.read(chunk, start, start + size - TRAILING_SIZE);
    if (!this.#event.begin(false)) {
      report(run.problems, 'record-unreadable', chunk.offset + start);
      return;
    }
    if (this.#frame.damaged) report(run.problems, 'record-damaged', chunk.offset + start);
    this.#visit(run);
  }

  #visit(run: ReadRun): void {
    run.records++;
    run.visit(this.#event);
    if (this.#event.damagedValues > 0) report(run.problems, 'value-length', this.#event.offset);
  }
}
