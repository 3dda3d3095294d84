import { ProblemLog } from '../problem-log.ts';
import type { ByteSource, ChunkTally, EventTables, ReadOptions, ReadReport } from '../reader.ts';
import { Chunk, CHUNK_SIZE, isChunk } from './chunk.ts';
import { checksumsAgree } from './chunk-checksums.ts';
import { type ChunkReader, chunkReader, type ReadRun } from './chunk-reader.ts';
import { chunkProblems } from './chunk-problems.ts';
import type { EvtxEvent } from './evtx-event.ts';
import { report } from './evtx-problems.ts';
import { CARVING_STEP, HEADER_BLOCK, readFileHeader } from './file-header.ts';

/**
 * Reads a Windows event log (detection-engine 2) in windows of whole chunks; it is a `Reader` whose
 * events can also be rendered. Bytes without a file header are searched for chunks. The plans made
 * of templates stay with `tables` for the next file that is read into them. What is read of a range
 * is joined by `joinReports`.
 */
export async function readEvtx(
  source: ByteSource,
  tables: EventTables,
  visit: (event: EvtxEvent) => void,
  options: ReadOptions = {},
): Promise<ReadReport> {
  const { from, to } = options.range ?? { from: 0, to: source.size };
  const problems = new ProblemLog();
  const reader = chunkReader(tables);
  const { window } = reader;
  const header = window.subarray(0, await fill(source, 0, window.subarray(0, HEADER_BLOCK)));
  const announced = readFileHeader(header, from === 0 ? problems : new ProblemLog());
  const scan = new ChunkScan(reader, visit, problems, announced === null, options);
  for (let at = announced === null ? from : Math.max(from, HEADER_BLOCK); at < to;) {
    const wanted = Math.min(window.length, to - at);
    const length = await fill(source, at, window.subarray(0, wanted));
    if (length === 0) break;
    at += scan.window(window.subarray(0, length), at, length < wanted || at + length >= to);
    options.onProgress?.(Math.min(at, to));
  }
  const chunks: ChunkTally = { announced, found: scan.chunks, empty: scan.empty };
  const { records } = scan.run;
  if (options.range !== undefined) return { records, problems: problems.list(), chunks };
  return { records, problems: [...problems.list(), ...chunkProblems([chunks])] };
}

/** Finds the chunks in the windows of a file and has them read. */
class ChunkScan {
  chunks = 0;
  /** Empty slots since the last chunk. */
  empty: ChunkTally['empty'] = null;
  readonly run: ReadRun;
  readonly #reader: ChunkReader;
  readonly #options: ReadOptions;

  constructor(
    reader: ChunkReader,
    visit: (event: EvtxEvent) => void,
    problems: ProblemLog,
    carved: boolean,
    options: ReadOptions,
  ) {
    this.#reader = reader;
    this.#options = options;
    this.run = { visit, problems, carved, recoverSlack: options.recoverSlack ?? false, records: 0 };
  }

  /** Reads the whole chunks of a window, and a cut one in the last; returns the bytes done. */
  window(bytes: Uint8Array, offset: number, isLast: boolean): number {
    let at = 0;
    while (at < bytes.length) {
      this.#options.signal?.throwIfAborted();
      const isSigned = isChunk(bytes, at);
      if (!isSigned && this.run.carved) {
        at += CARVING_STEP;
        continue;
      }
      if (at + CHUNK_SIZE > bytes.length && !isLast) break;
      const chunk = new Chunk(bytes.subarray(at, at + CHUNK_SIZE), offset + at);
      if (isSigned) this.#chunk(chunk);
      else this.#otherSlot(chunk);
      at += CHUNK_SIZE;
    }
    return at;
  }

  #chunk(chunk: Chunk): void {
    const { problems } = this.run;
    this.chunks++;
    // Empty slots after the last chunk are what a log has reserved, before it they are a hole.
    if (this.empty !== null) report(problems, 'chunk-empty', this.empty.offset, this.empty.count);
    this.empty = null;
    if (chunk.size < CHUNK_SIZE) report(problems, 'chunk-truncated', chunk.offset);
    if (this.#options.verifyChecksums && !checksumsAgree(chunk)) report(problems, 'chunk-checksum', chunk.offset);
    this.#reader.read(chunk, this.run);
  }

  #otherSlot(slot: Chunk): void {
    if (slot.isEmpty()) {
      this.empty = { offset: this.empty?.offset ?? slot.offset, count: (this.empty?.count ?? 0) + 1 };
      return;
    }
    report(this.run.problems, 'chunk-unsigned', slot.offset);
    if (this.run.recoverSlack) this.#reader.search(slot, this.run);
  }
}

/** Reads from the source until the bytes are full or the source ends; returns how many there are. */
async function fill(source: ByteSource, offset: number, into: Uint8Array): Promise<number> {
  let length = 0;
  while (length < into.length) {
    const read = await source.read(offset + length, into.subarray(length));
    if (read === 0) break;
    length += read;
  }
  return length;
}
