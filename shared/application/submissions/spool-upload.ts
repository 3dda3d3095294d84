import { createHash } from 'node:crypto';
import { AppError, cleanFileName, storedSuffix } from '@svc/domain';
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
  /** When it was stored, in milliseconds since 1970; null where a row names its object. */
  readonly spooledAt: number | null;
}

/** So long a stored file may wait for the row that names it. After twice as long a sweep takes it for nobody's. */
const namedWithinMs = 1_800_000;

/** Throws `bad_request` for a file that has waited too long, for the rest of its form or in a process that stood still. */
export function checkSpooled({ spooledAt }: Pick<SpooledFile, 'spooledAt'>): void {
  if (spooledAt === null || Date.now() - spooledAt < namedWithinMs) return;
  throw new AppError('bad_request', 'The rest of the form came too late after its file; send both again');
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
  const spooledAt = Date.now();
  return { key, fileName: cleanFileName(upload.fileName), sha256: hash.digest('hex'), sizeBytes, head, spooledAt };
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
