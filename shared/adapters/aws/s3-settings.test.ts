import { readEnvironment } from '@svc/config';
import { expect, it } from 'vitest';
import { s3Client } from './s3-client.ts';
import { s3SettingsOf, uploadOriginOf } from './s3-settings.ts';
import { S3UploadTargets } from './s3-upload-targets.ts';

const aws = { STORAGE_BACKEND: 's3', S3_BUCKET: 'logs', S3_REGION: 'eu-central-1' };
const keys = { S3_ACCESS_KEY: 'test', S3_SECRET_KEY: 'test' };

it.each([
  [aws, 'https://logs.s3.eu-central-1.amazonaws.com'],
  [{ ...aws, S3_BUCKET: 'logs.example.org' }, 'https://s3.eu-central-1.amazonaws.com'],
  [{ ...aws, S3_REGION: 'cn-north-1' }, 'https://logs.s3.cn-north-1.amazonaws.com.cn'],
  [{ ...aws, S3_PUBLIC_ENDPOINT: 'https://s3.example.org:9000/' }, 'https://s3.example.org:9000'],
])('knows where browsers send files: %j', async (env, origin) => {
  const environment = readEnvironment({ ...env, ...keys });
  expect(uploadOriginOf(environment)).toBe(origin);
  const settings = s3SettingsOf(environment);
  const client = s3Client({ ...settings, endpoint: settings.publicEndpoint });
  const targets = new S3UploadTargets(client, settings.buckets.uploads);
  const [sha256, expiresAt] = ['ab'.repeat(32), new Date(Date.now() + 60_000)];
  const { key, url } = await targets.presignPut({ uploadId: 'x', sizeBytes: 5, sha256, suffix: '.bin', expiresAt });
  const { origin: signedFor, pathname, searchParams } = new URL(url);
  expect(signedFor).toBe(origin);
  expect(pathname.endsWith(`/${key}`)).toBe(true);
  expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host;if-none-match;x-amz-checksum-sha256');
  expect([...searchParams.keys()].filter((name) => name.includes('checksum'))).toEqual([]);
});

it.each([
  [{ ...aws, STORAGE_BACKEND: 'local' }],
  // Who knows whether clients reach it?
  [{ ...aws, S3_ENDPOINT: 'http://store:9000' }],
])('lets files go through the service: %j', (env) => {
  expect(uploadOriginOf(readEnvironment(env))).toBeNull();
});
