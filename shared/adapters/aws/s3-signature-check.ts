import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { createHash } from 'node:crypto';
import { storeError } from './s3-errors.ts';

/**
 * Whether the store takes a presigned upload, and neither other bytes of the same length nor an upload
 * without its checksum. AWS does; some compatible stores pass over checksums, and then anyone could put
 * other bytes under the digest of a file. Throws `unavailable` when the store does not answer.
 */
export async function holdsToSignatures(
  targets: Pick<UploadTargets, 'presignPut'>,
  client: S3Client,
  bucket: string,
): Promise<boolean> {
  const right = Buffer.from('right');
  const { key, url, headers } = await targets.presignPut({
    uploadId: 'probe',
    sizeBytes: right.length,
    sha256: createHash('sha256').update(right).digest('hex'),
    suffix: '.probe',
    expiresAt: new Date(Date.now() + 60_000),
  });
  const takes = async (body: Uint8Array<ArrayBuffer>, sent: Readonly<Record<string, string>>): Promise<boolean> =>
    (await fetch(url, { method: 'PUT', body, headers: sent, signal: AbortSignal.timeout(10_000) })).ok;
  const wrong = Buffer.from('wrong');
  try {
    // The right bytes last: once they are stored, all others are refused anyway.
    return !(await takes(wrong, headers)) && !(await takes(wrong, {})) && (await takes(right, headers));
  } catch (error) {
    throw storeError(error);
  } finally {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key ?? '' })).catch(() => null);
  }
}
