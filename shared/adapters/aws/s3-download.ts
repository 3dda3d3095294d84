import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { storeError } from './s3-errors.ts';

/** How often a download goes on after its connection broke off without a byte. */
const attempts = 3;

const rangeBytes = 16_777_216;
/** Ranges of one object under way at the same time: one connection alone is slower than a disk. */
const rangesAtOnce = 4;

/** A part of an object. */
export interface ObjectRange {
  readonly Bucket: string;
  readonly Key: string;
  readonly start: number;
  /** Exclusive; greater than `start`. */
  readonly end: number;
}

/**
 * The bytes of a range as they arrive; goes on where a connection breaks off. Rejects with the signal's
 * reason once that aborts.
 */
export async function* download(
  client: S3Client,
  { Bucket, Key, start, end }: ObjectRange,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Uint8Array> {
  let at = start;
  let failures = 0;
  while (at < end) {
    const from = at;
    try {
      const command = new GetObjectCommand({ Bucket, Key, Range: `bytes=${from}-${end - 1}` });
      const { Body } = await client.send(command, { abortSignal: signal });
      for await (const chunk of addAbortSignal(signal, Body as Readable) as AsyncIterable<Uint8Array>) {
        at += chunk.length;
        yield chunk;
      }
      if (at === from) throw new Error('the store sent nothing');
    } catch (error) {
      signal.throwIfAborted();
      failures = at > from ? 1 : failures + 1;
      // Of an answer, the client has tried again already.
      if (failures === attempts || (error instanceof Error && '$metadata' in error)) throw storeError(error);
    }
  }
}

/** Writes a range into a file, over several connections and holding little of it in memory. */
export async function downloadTo(
  file: FileHandle,
  client: S3Client,
  { start, end, ...object }: ObjectRange,
  signal?: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  let next = start;
  const work = async (): Promise<void> => {
    while (next < end) {
      let at = next;
      next = Math.min(end, at + rangeBytes);
      for await (const chunk of download(client, { ...object, start: at, end: next }, stop)) {
        await file.write(chunk, 0, chunk.length, at);
        at += chunk.length;
      }
    }
  };
  // All end before this does: the file may go away then.
  await Promise.all(Array.from({ length: rangesAtOnce }, () => work().catch((error: unknown) => failed.abort(error))));
  stop.throwIfAborted();
}
