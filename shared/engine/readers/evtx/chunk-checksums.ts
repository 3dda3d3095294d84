import { type Chunk, FIRST_RECORD } from './chunk.ts';
import { crc32 } from './crc32.ts';

const NO_CHECKSUMS = 4;

/** Whether a chunk's checksums agree (detection-engine 2.2); true where the chunk has none. */
export function checksumsAgree(chunk: Chunk): boolean {
  const { bytes, view, size } = chunk;
  if (size < FIRST_RECORD || (view.getUint32(120, true) & NO_CHECKSUMS) !== 0) return true;
  const header = crc32(bytes.subarray(0, 120), bytes.subarray(128, FIRST_RECORD));
  const records = crc32(bytes.subarray(FIRST_RECORD, chunk.recordsEnd()));
  return header === view.getUint32(124, true) && records === view.getUint32(52, true);
}
