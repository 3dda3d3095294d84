import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { SignedUpload, UploadTarget, UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { newObjectKey } from '../object-key.ts';

/** The store compares what arrives with it; `content-length` is signed too, and clients set that by themselves. */
const checksumHeader = 'x-amz-checksum-sha256';
const signed = new Set(['host', 'content-length', checksumHeader]);

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
    });
    const url = await getSignedUrl(this.#client, command, {
      expiresIn: Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000)),
      signableHeaders: signed,
      // In the address, the header would be a wish of the signer's that no store must follow.
      unhoistableHeaders: new Set([checksumHeader]),
    });
    return { key, url, headers: { [checksumHeader]: checksum } };
  }

  /** No address leads to this service. */
  async verify(): Promise<SignedUpload | null> {
    return null;
  }
}
