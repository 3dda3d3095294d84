import type { ByteSource } from '../reader.ts';
import { SyslogHeader } from '../syslog/syslog-header.ts';

const LINE_FEED = 0x0a;
const HASH = 0x23;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const windowBytes = 256 * 1024;

/** Whether a range may begin with the line at [start, end). */
type BeginsRange = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Where ranges of about `size` bytes begin in JSON with an object on each line; in other JSON it is one range. */
export async function jsonCuts(source: ByteSource, size: number): Promise<number[]> {
  return cutsAt(source, size, (bytes, start, end) => bytes[start] === BRACE_OPEN && bytes[end - 1] === BRACE_CLOSE);
}

/** The same for a system log: at lines that have the head of a message. */
export async function syslogCuts(source: ByteSource, size: number): Promise<number[]> {
  const header = new SyslogHeader();
  return cutsAt(source, size, (bytes, start, end) => header.parse(bytes, start, end));
}

/** The same for logs with a record on each line, and maybe directives before them. */
export async function plainCuts(source: ByteSource, size: number): Promise<number[]> {
  return cutsAt(source, size, (bytes, start) => bytes[start] !== HASH, false);
}

/** Cuts at lines that may begin a range, if the first line is such a line or need not be. */
async function cutsAt(source: ByteSource, size: number, begins: BeginsRange, isStrict = true): Promise<number[]> {
  const cuts = [0];
  const window = new Uint8Array(windowBytes);
  const first = window.subarray(0, await source.read(0, window));
  const firstEnd = first.indexOf(LINE_FEED);
  const marked = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? 3 : 0;
  const isWide = marked === 0 && (first[0] === 0xff || first[0] === 0xfe);
  if (isWide || firstEnd < 0 || (isStrict && !begins(first, marked, lineEnd(first, firstEnd)))) return cuts;
  for (let at = size; at < source.size; at += size) {
    const bytes = window.subarray(0, await source.read(at, window));
    const line = nextLine(bytes, begins);
    if (line < 0) continue;
    at += line;
    cuts.push(at);
  }
  return cuts;
}

/** Place of the first whole line that may begin a range; -1 where there is none. */
function nextLine(bytes: Uint8Array, begins: BeginsRange): number {
  let start = bytes.indexOf(LINE_FEED) + 1;
  for (let end = bytes.indexOf(LINE_FEED, start); start > 0 && end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    if (begins(bytes, start, lineEnd(bytes, end))) return start;
    start = end + 1;
  }
  return -1;
}

/** End of a line without its line break. */
function lineEnd(bytes: Uint8Array, feed: number): number {
  return feed > 0 && bytes[feed - 1] === 0x0d ? feed - 1 : feed;
}
