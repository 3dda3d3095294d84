import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { SignedUpload, UploadTarget, UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { newObjectKey } from '../object-key.ts';

/** The store compares what arrives with it; `content-length` is signed too, and clients set that by themselves. */
const checksumHeader = 'x-amz-checksum-sha256';
/** With `*` the store takes one object under a key, and answers 412 to more: no versions pile up below it. */
const onceHeader = 'if-none-match';
const signed = new Set(['host', 'content-length', checksumHeader, onceHeader]);

/** Presigned addresses of the bucket itself: the bytes of an upload do not pass through the service. */
export class S3UploadTargets implements Pick<UploadTargets, 'presignPut' | 'verify'> {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async presignPut(upload: Parameters<UploadTargets['presignPut']>[0]): Promise<UploadTarget> {
    const { sizeBytes, sha256, suffix, expiresAt } = upload;
    const key = newObjectKey(suffix);
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ContentLength: sizeBytes,
      ChecksumSHA256: checksum,
      IfNoneMatch: '*',
    });
    // The other half is for sending: this store does not tell when one begins.
    const beginBy = new Date((Date.now() + expiresAt.getTime()) / 2);
    const url = await getSignedUrl(this.#client, command, {
      expiresIn: Math.max(1, Math.ceil((beginBy.getTime() - Date.now()) / 1000)),
      signableHeaders: signed,
      // Signed as headers: in the address they would bind nobody.
      unhoistableHeaders: new Set([checksumHeader, onceHeader]),
    });
    return { key, url, beginBy, headers: { [checksumHeader]: checksum, [onceHeader]: '*' } };
  }

  /** No address leads to this service. */
  async verify(): Promise<SignedUpload | null> {
    return null;
  }
}
