import type { ByteSource } from '../readers/reader.ts';
import { TlshHasher } from './tlsh.ts';

/** About a millisecond of work: so long nothing else in the thread has its turn. */
const blockBytes = 262_144;

/**
 * The TLSH digest of a source, read once from front to back; null when it has none. Rejects with the source's errors
 * and with the signal's reason.
 */
export async function tlshOf(source: ByteSource, signal?: AbortSignal): Promise<string | null> {
  const hasher = new TlshHasher();
  const block = new Uint8Array(Math.max(1, Math.min(blockBytes, source.size)));
  for (let offset = 0; ;) {
    signal?.throwIfAborted();
    const read = await source.read(offset, block);
    if (read === 0) return hasher.digest();
    hasher.update(block.subarray(0, read));
    offset += read;
  }
}
