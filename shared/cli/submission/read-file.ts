import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { asFileError, FileError } from '../file-error.ts';
import type { Input } from '../inputs/find-inputs.ts';

/** What the service looks at to tell the kind of a log. */
const headBytes = 65_536;
const stepBytes = 1024 * 1024;

/** The beginning of a file; throws a `FileError`. */
export async function readHead({ path, name }: Input): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const head = new Uint8Array(headBytes);
      const { bytesRead } = await file.read(head, 0, headBytes, 0);
      return head.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asFileError(name, error);
  }
}

/** Length and SHA-256 (hexadecimal digits) of a file; throws a `FileError`, and the signal's reason. */
export async function digestOf({ path, name }: Input, signal: AbortSignal): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: stepBytes, signal })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw asFileError(name, error);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The first so many bytes of a file, told as they are taken; throws a `FileError` when there are fewer. */
export async function* chunksOf(
  { path, name }: Input,
  bytes: number,
  taken: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  try {
    // What a log grows by meanwhile is not part of what was announced.
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, end: bytes - 1 })) {
      yield chunk as Buffer;
      count += (chunk as Buffer).length;
      taken((chunk as Buffer).length);
    }
  } catch (error) {
    throw asFileError(name, error);
  }
  if (count < bytes) throw changed(name);
}

/** A file is not what it was when it was first read. */
export function changed(name: string): FileError {
  return new FileError(`${name}: it changed while it was sent; submit it again`);
}
