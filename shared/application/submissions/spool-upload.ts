import { createHash } from 'node:crypto';
import { cleanFileName, storedSuffix } from '@svc/domain';
import { detectLogType } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';

/** Bytes that decide the type of a log (resolved-platform 1). */
export const headBytes = 65_536;

/** An upload that lies in the object store and belongs to no job yet. */
export interface SpooledFile {
  readonly key: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Its first 64 KiB. */
  readonly head: Uint8Array;
}

/**
 * Streams an upload into the object store, hashing on the way; never more than its head is held.
 * An error thrown by the content (too large, connection lost) leaves nothing behind.
 */
export async function spoolUpload(
  { objects }: Pick<Ports, 'objects'>,
  upload: { fileName: string; content: AsyncIterable<Uint8Array> },
): Promise<SpooledFile> {
  const chunks = upload.content[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  const { head, first } = await readHead(chunks);
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of first) {
        hash.update(chunk);
        yield chunk;
      }
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        hash.update(next.value);
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  const { key, sizeBytes } = await objects.create(storedSuffix[detectLogType(head)], whole());
  return { key, fileName: cleanFileName(upload.fileName), sha256: hash.digest('hex'), sizeBytes, head };
}

async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; first: Uint8Array[] }> {
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const next = await chunks.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.length;
  }
  return { head: new Uint8Array(Buffer.concat(first).subarray(0, headBytes)), first };
}
