import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/**
 * Deletes an object with its versions and the marks of earlier deletions. Of a store that does not tell its
 * versions, or not to us, it deletes the object, as it would without this.
 */
export async function eraseVersions(client: S3Client, object: { Bucket: string; Key: string }): Promise<void> {
  const { Bucket, Key } = object;
  for (;;) {
    // A key has one length: it is no other's prefix.
    const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key })).catch(() => null);
    if (listed === null) break;
    const Objects = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])].map(({ VersionId }) => ({
      Key,
      VersionId,
    }));
    if (Objects.length === 0) return;
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) break;
    if (!listed.IsTruncated) return;
  }
  await client.send(new DeleteObjectCommand(object));
}
