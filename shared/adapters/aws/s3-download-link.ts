import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectArea } from '@svc/application/ports/object-store.ts';
import type { UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { areaOf, objectKey } from '../object-key.ts';

/** A presigned address of an object, and of what the store is to say of it. */
export function downloadLink(
  client: S3Client,
  buckets: Readonly<Record<ObjectArea, string>>,
  { key, headers, expiresAt }: Parameters<UploadTargets['presignGet']>[0],
): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: buckets[areaOf(key)],
    Key: objectKey(key),
    ResponseCacheControl: headers['cache-control'],
    ResponseContentDisposition: headers['content-disposition'],
    ResponseContentEncoding: headers['content-encoding'],
    ResponseContentType: headers['content-type'],
  });
  return getSignedUrl(client, command, {
    expiresIn: Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000)),
  });
}
