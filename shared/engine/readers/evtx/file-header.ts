import type { ProblemLog } from '../problem-log.ts';
import { hasSignature } from './chunk.ts';
import { crc32 } from './crc32.ts';
import { report } from './evtx-problems.ts';

/** Bytes before the first chunk; the header proper is their beginning. */
export const HEADER_BLOCK = 4096;
/** Chunks begin at multiples of it, also in bytes of which nothing else is known. */
export const CARVING_STEP = 4096;
const HEADER = 128;
const NO_CHECKSUMS = 4;

/** Number of chunks that a file header announces; null when the bytes are no file header. */
export function readFileHeader(bytes: Uint8Array, problems: ProblemLog): number | null {
  if (bytes.length < HEADER || !hasSignature(bytes, 0, 'ElfFile\u0000')) {
    report(problems, 'file-signature', 0);
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const minor = view.getUint16(36, true);
  if (view.getUint16(38, true) !== 3 || minor < 1 || minor > 2) report(problems, 'file-version', 36);
  const isChecked = (view.getUint32(120, true) & NO_CHECKSUMS) === 0;
  if (isChecked && view.getUint32(124, true) !== crc32(bytes.subarray(0, 120))) report(problems, 'file-checksum', 124);
  return view.getUint16(42, true);
}
