import type { ByteSource } from '../reader.ts';

const opening = new TextEncoder().encode('<Event');
const LESS = 0x3c;
const GREATER = 0x3e;
const BLANK = 0x20;
const windowBytes = 256 * 1024;

/** Where ranges of about `size` bytes of event XML begin: at `Event` elements; in UTF-16 it is one range. */
export async function xmlCuts(source: ByteSource, size: number): Promise<number[]> {
  const cuts = [0];
  const window = new Uint8Array(windowBytes);
  const first = window.subarray(0, await source.read(0, window));
  if (first[0] === 0xff || first[0] === 0xfe) return cuts;
  for (let at = size; at < source.size; at += size) {
    const bytes = window.subarray(0, await source.read(at, window));
    const event = nextEvent(bytes);
    if (event < 0) continue;
    at += event;
    cuts.push(at);
  }
  return cuts;
}

function nextEvent(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LESS); at >= 0; at = bytes.indexOf(LESS, at + 1)) {
    const behind = bytes[at + opening.length];
    const isWhole = behind !== undefined && (behind <= BLANK || behind === GREATER);
    if (isWhole && opening.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}
