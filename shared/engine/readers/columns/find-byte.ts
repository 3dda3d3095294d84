/** Place of a byte in [start, end); -1 where it is not there. `indexOf` would look on to the end of the buffer. */
export function findByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === byte) return at;
  return -1;
}
