import {
  DeleteObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { LocalCopy, ObjectReader, ObjectStore } from '@svc/application/ports/object-store.ts';
import type { ScratchFolder } from '../local/scratch-folder.ts';
import { newObjectKey, objectKey } from '../object-key.ts';
import { download, downloadTo } from './s3-download.ts';
import { bucketError, isMissing, storeError } from './s3-errors.ts';
import { S3Reader } from './s3-reader.ts';
import { partBytesFor, upload } from './s3-upload.ts';

/** How long the health of the store may take to find out. */
const checkMs = 10_000;

export interface S3ObjectStoreOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** Where local copies go. */
  readonly scratch: ScratchFolder;
  /** Of the largest object that will be created; decides the size of the parts. */
  readonly largestBytes: number;
}

/** Objects in a bucket of S3 or a compatible store, under their keys. */
export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #scratch: ScratchFolder;
  readonly #partBytes: number;
  #mayWrite = false;

  constructor({ client, bucket, scratch, largestBytes }: S3ObjectStoreOptions) {
    this.#client = client;
    this.#bucket = bucket;
    this.#scratch = scratch;
    this.#partBytes = partBytesFor(largestBytes);
  }

  async create(suffix: string, content: AsyncIterable<Uint8Array>): Promise<{ key: string; sizeBytes: number }> {
    const key = newObjectKey(suffix);
    return { key, sizeBytes: await upload(this.#client, this.#object(key), content, this.#partBytes) };
  }

  async open(key: string): Promise<ObjectReader> {
    const object = this.#object(key);
    return new S3Reader(await this.#sizeOf(key), async (offset, into) => {
      let at = 0;
      for await (const chunk of download(this.#client, { ...object, start: offset, end: offset + into.length })) {
        into.set(chunk, at);
        at += chunk.length;
      }
    });
  }

  async localCopy(key: string, signal?: AbortSignal): Promise<LocalCopy> {
    signal?.throwIfAborted();
    const size = await this.#sizeOf(key);
    const file = await this.#scratch.create(size);
    try {
      await downloadTo(file.handle, this.#client, { ...this.#object(key), start: 0, end: size }, signal);
      return { path: file.path, release: () => file.remove() };
    } catch (error) {
      await file.remove();
      throw this.#scratch.fault(error);
    }
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key))).catch(thrown);
  }

  async exists(key: string): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand(this.#object(key)));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw storeError(error);
    }
  }

  /** Writes and deletes an object until that has worked once; afterwards a look at the bucket is enough. */
  async check(): Promise<{ freeBytes: null }> {
    const options = { abortSignal: AbortSignal.timeout(checkMs) };
    await this.#scratch.prepare();
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), options);
      if (!this.#mayWrite) {
        const probe = this.#object(newObjectKey('.probe'));
        await this.#client.send(new PutObjectCommand({ ...probe, Body: 'probe' }), options);
        await this.#client.send(new DeleteObjectCommand(probe), options);
        this.#mayWrite = true;
      }
    } catch (error) {
      throw bucketError(this.#bucket, error);
    }
    return { freeBytes: null };
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: objectKey(key) };
  }

  async #sizeOf(key: string): Promise<number> {
    const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(key))).catch(thrown);
    return ContentLength ?? 0;
  }
}

function thrown(error: unknown): never {
  throw storeError(error);
}
