import {
  DeleteObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectArchive } from '@svc/application/ports/object-archive.ts';
import type { LocalCopy, ObjectArea, ObjectReader, ObjectStore } from '@svc/application/ports/object-store.ts';
import type { ScratchFolder } from '../machine/scratch-folder.ts';
import { areaOf, newObjectKey, objectKey } from '../object-key.ts';
import { download, downloadTo } from './s3-download.ts';
import { eraseVersions } from './s3-versions.ts';
import { bucketError, isMissing, storeError } from './s3-errors.ts';
import { S3Reader } from './s3-reader.ts';
import { partBytesFor, upload } from './s3-upload.ts';
import { s3Client } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';

/** How long the health of the store may take to find out. */
const checkMs = 10_000;

export interface S3ObjectStoreOptions {
  readonly client: S3Client;
  /** By what is in them; may all be the same. */
  readonly buckets: Readonly<Record<ObjectArea, string>>;
  /** Where local copies go. */
  readonly scratch: ScratchFolder;
  /** Of the largest object that will be created; decides the size of the parts. */
  readonly largestBytes: number;
}

/** The store with a client of its own. */
export function openObjectStore({
  settings,
  ...options
}: { readonly settings: S3Settings } & Pick<S3ObjectStoreOptions, 'scratch' | 'largestBytes'>): S3ObjectStore {
  return new S3ObjectStore({ client: s3Client(settings), buckets: settings.buckets, ...options });
}

/** Objects in buckets of S3 or a compatible store, under their keys. */
export class S3ObjectStore implements ObjectStore, ObjectArchive {
  readonly #client: S3Client;
  readonly #buckets: Readonly<Record<ObjectArea, string>>;
  readonly #scratch: ScratchFolder;
  readonly #partBytes: number;
  #mayWrite = false;

  constructor({ client, buckets, scratch, largestBytes }: S3ObjectStoreOptions) {
    this.#client = client;
    this.#buckets = buckets;
    this.#scratch = scratch;
    this.#partBytes = partBytesFor(largestBytes);
  }

  async create(
    suffix: string,
    content: AsyncIterable<Uint8Array>,
    area?: ObjectArea,
    announce?: (key: string) => Promise<void>,
  ): Promise<{ key: string; sizeBytes: number }> {
    const key = newObjectKey(suffix, area);
    await announce?.(key);
    return { key, sizeBytes: await upload(this.#client, this.#object(key), content, this.#partBytes) };
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await upload(this.#client, this.#object(key), content, this.#partBytes);
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

  async erase(key: string): Promise<void> {
    await eraseVersions(this.#client, this.#object(key)).catch(thrown);
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

  async hasRoom(): Promise<boolean> {
    return true;
  }

  /** Writes and deletes an upload until that has worked once; afterwards a look at the buckets is enough. */
  async check(): Promise<{ freeBytes: null }> {
    const signal = AbortSignal.timeout(checkMs);
    await this.#scratch.prepare();
    await Promise.all([...new Set(Object.values(this.#buckets))].map((bucket) => this.#checkBucket(bucket, signal)));
    return { freeBytes: null };
  }

  async #checkBucket(bucket: string, abortSignal: AbortSignal): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
      if (this.#mayWrite || bucket !== this.#buckets.uploads) return;
      const probe = this.#object(newObjectKey('.probe'));
      await this.#client.send(new PutObjectCommand({ ...probe, Body: 'probe' }), { abortSignal });
      await this.#client.send(new DeleteObjectCommand(probe), { abortSignal });
      this.#mayWrite = true;
    } catch (error) {
      throw bucketError(bucket, error);
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Key: objectKey(key), Bucket: this.#buckets[areaOf(key)] };
  }

  async #sizeOf(key: string): Promise<number> {
    const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(key))).catch(thrown);
    return ContentLength ?? 0;
  }
}

function thrown(error: unknown): never {
  throw storeError(error);
}
