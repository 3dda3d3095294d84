import { AbortMultipartUploadCommand, DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import { storeError } from './s3-errors.ts';

const mib = 1_048_576;
const smallestPartBytes = 8 * mib;
const mostParts = 10_000;
/** Parts on their way at the same time: with the one being filled, what an upload holds in memory. */
const partsAtOnce = 2;

/** Bytes of a part: small, unless the largest object needs more to fit into as many parts as S3 takes. */
export function partBytesFor(largestBytes: number): number {
  return Math.max(smallestPartBytes, Math.ceil(largestBytes / mostParts / mib) * mib);
}

/**
 * Sends content of unknown length, as one request when it fits into a part. Returns its size. Rejects
 * with the content's own error or with the store's, and leaves neither object nor parts behind.
 */
export async function upload(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<number> {
  let sizeBytes = 0;
  let broken: { readonly error: unknown } | null = null;
  async function* measured(): AsyncGenerator<Uint8Array> {
    const chunks = content[Symbol.asyncIterator]();
    const take = (): Promise<IteratorResult<Uint8Array, unknown>> =>
      chunks.next().catch((error: unknown) => {
        broken = { error };
        throw error;
      });
    try {
      for (let next = await take(); !next.done; next = await take()) {
        sizeBytes += next.value.length;
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  const body = Readable.from(measured(), { objectMode: true, highWaterMark: 1 });
  const sending = new Upload({
    client,
    params: { ...object, Body: body },
    partSize: partBytes,
    queueSize: partsAtOnce,
    // Taken back below, also when the very last request fails.
    leavePartsOnError: true,
  });
  try {
    await sending.done();
  } catch (error) {
    body.destroy();
    await takeBack(client, object, sending.uploadId);
    throw (broken as { readonly error: unknown } | null)?.error ?? storeError(error);
  }
  return sizeBytes;
}

/** An answer may have been lost, so that the object is there all the same. The store's lifecycle rule is the last resort. */
async function takeBack(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  uploadId: string | undefined,
): Promise<void> {
  const requests = [
    ...(uploadId ? [client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }))] : []),
    client.send(new DeleteObjectCommand(object)),
  ];
  await Promise.allSettled(requests);
}
