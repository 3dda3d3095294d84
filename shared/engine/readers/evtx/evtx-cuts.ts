import { ProblemLog } from '../problem-log.ts';
import type { ByteSource } from '../reader.ts';
import { CHUNK_SIZE, isChunk } from './chunk.ts';
import { CARVING_STEP, HEADER_BLOCK, readFileHeader } from './file-header.ts';

const WINDOW = 16 * CHUNK_SIZE;

/**
 * Where ranges of about `size` bytes of an event log begin, the first at 0. With a file header chunks
 * stand in slots; without one they are looked for here as the reader will, from one to the next.
 */
export async function evtxCuts(source: ByteSource, size: number): Promise<number[]> {
  const header = new Uint8Array(HEADER_BLOCK);
  const read = await source.read(0, header);
  const isCarved = readFileHeader(header.subarray(0, read), new ProblemLog()) === null;
  return isCarved ? carvedCuts(source, size) : slotCuts(source.size, Math.max(1, Math.floor(size / CHUNK_SIZE)));
}

function slotCuts(end: number, slots: number): number[] {
  const cuts = [0];
  for (let at = HEADER_BLOCK + slots * CHUNK_SIZE; at < end; at += slots * CHUNK_SIZE) cuts.push(at);
  return cuts;
}

async function carvedCuts(source: ByteSource, size: number): Promise<number[]> {
  const cuts = [0];
  const window = new Uint8Array(WINDOW);
  for (let at = 0, start = 0, end = 0; at < source.size;) {
    if (at + CARVING_STEP > end) {
      start = at;
      end = at + (await source.read(at, window));
      if (end === start) break;
    }
    if (at >= cuts.at(-1)! + size) cuts.push(at);
    at += isChunk(window.subarray(0, end - start), at - start) ? CHUNK_SIZE : CARVING_STEP;
  }
  return cuts;
}
