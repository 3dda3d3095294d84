import { crc32 } from '../../shared/engine/readers/evtx/crc32.ts';

const [headerBytes, chunkBytes] = [4096, 65_536];
const [recordsAt, recordsEndAt, recordsChecksumAt, headerChecksumAt] = [512, 48, 52, 124];
/** Of the account in every sample event log, with as many letters as what takes its place. */
const account = Buffer.from('okafor', 'utf16le');

/** A sample event log in which somebody else was at work, another for each number: other bytes, the same findings. */
export function variedLog(sample: Uint8Array, number: number): Buffer<ArrayBuffer> {
  const log = Buffer.from(Uint8Array.from(sample).buffer);
  const name = Buffer.from(nameOf(number), 'utf16le');
  for (let at = log.indexOf(account); at >= 0; at = log.indexOf(account, at)) name.copy(log, at);
  for (let at = headerBytes; at + chunkBytes <= log.length; at += chunkBytes) sign(log.subarray(at, at + chunkBytes));
  return log;
}

/** Six letters, no two numbers the same. */
function nameOf(number: number): string {
  return number
    .toString(26)
    .padStart(6, '0')
    .replace(/./g, (digit) => String.fromCodePoint(97 + Number.parseInt(digit, 26)));
}

/** Writes the checksums of a chunk. */
function sign(chunk: Buffer): void {
  const records = chunk.subarray(recordsAt, chunk.readUInt32LE(recordsEndAt));
  chunk.writeUInt32LE(crc32(records), recordsChecksumAt);
  chunk.writeUInt32LE(crc32(chunk.subarray(0, 120), chunk.subarray(128, recordsAt)), headerChecksumAt);
}
