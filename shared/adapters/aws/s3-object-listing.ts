import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectListing, ObjectPage } from '@svc/application/ports/object-listing.ts';
import { areaOf, isObjectKey } from '../object-key.ts';
import { s3Client } from './s3-client.ts';
import { storeError } from './s3-errors.ts';
import type { S3Settings } from './s3-settings.ts';

/** No object takes longer to be sent. S3 dates one that comes in parts by when the first was announced. */
const longestSendingMs = 86_400_000;
const pageSize = 1000;

/** The listing with a client of its own. */
export function openObjectListing(settings: S3Settings): S3ObjectListing {
  return new S3ObjectListing(s3Client(settings), settings.buckets);
}

/** All objects in the buckets of the service, bucket by bucket. */
export class S3ObjectListing implements ObjectListing {
  readonly #client: S3Client;
  readonly #buckets: readonly string[];
  readonly #pageSize: number;

  /** @param options.atOnce - objects of a page */
  constructor(client: S3Client, buckets: S3Settings['buckets'], { atOnce = pageSize } = {}) {
    this.#client = client;
    this.#buckets = [...new Set([buckets.uploads, buckets.outputs, buckets.packs])];
    this.#pageSize = atOnce;
  }

  async page(after: string | null): Promise<ObjectPage> {
    const [, at = '0', StartAfter = ''] = /^(\d+):(.*)$/.exec(after ?? '') ?? [];
    const Bucket = this.#buckets[Number(at)];
    // Fewer buckets than when the walk began.
    if (Bucket === undefined) return { objects: [], next: null };
    const { Contents = [], IsTruncated } = await this.#client
      .send(new ListObjectsV2Command({ Bucket, MaxKeys: this.#pageSize, ...(StartAfter && { StartAfter }) }))
      .catch(thrown);
    const objects = Contents.flatMap(({ Key = '', Size = 0, LastModified, ETag = '' }) => {
      if (!isObjectKey(Key) || areaOf(Key) === 'answers' || !LastModified) return [];
      const sendingMs = ETag.includes('-') ? longestSendingMs : 0;
      return [{ key: Key, sizeBytes: Size, storedAt: new Date(LastModified.getTime() + sendingMs) }];
    });
    const last = Contents.at(-1)?.Key;
    if (IsTruncated === true && last !== undefined) return { objects, next: `${at}:${last}` };
    return { objects, next: Number(at) + 1 < this.#buckets.length ? `${Number(at) + 1}:` : null };
  }

  async room(): Promise<null> {
    return null;
  }

  async removeUnfinished(by: Date): Promise<number> {
    let removed = 0;
    for (const Bucket of this.#buckets) removed += await this.#removeIn(Bucket, by.getTime() - longestSendingMs);
    return removed;
  }

  async #removeIn(Bucket: string, before: number): Promise<number> {
    let removed = 0;
    for (let marks = {}; ;) {
      const listed = await this.#client
        .send(new ListMultipartUploadsCommand({ Bucket, ...marks }))
        .catch(noneIfForbidden);
      for (const { Key, UploadId, Initiated } of listed.Uploads ?? []) {
        if (Key === undefined || !isObjectKey(Key) || !Initiated || Initiated.getTime() > before) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(endedAlready);
        removed += 1;
      }
      if (listed.IsTruncated !== true) return removed;
      marks = { KeyMarker: listed.NextKeyMarker, UploadIdMarker: listed.NextUploadIdMarker };
    }
  }
}

/** Whoever may not list them has a rule of the bucket that removes them. */
function noneIfForbidden(error: unknown): {
  Uploads?: { Key?: string; UploadId?: string; Initiated?: Date }[];
  IsTruncated?: boolean;
  NextKeyMarker?: string;
  NextUploadIdMarker?: string;
} {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403) return {};
  throw storeError(error);
}

function endedAlready(error: unknown): void {
  if (!(error instanceof S3ServiceException && error.name === 'NoSuchUpload')) throw storeError(error);
}

function thrown(error: unknown): never {
  throw storeError(error);
}
