import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startLocalStack } from '../../localstack/host-mode.ts';

/** An S3 server of this test alone (LocalStack), with an empty bucket. What it holds is lost when it stops. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** The product's settings for it. */
  readonly env: Readonly<Record<string, string>>;
  /** A client that sees what the server holds. */
  readonly client: S3Client;
  /** Ends it at once. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the bucket empty. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const region = 'eu-central-1';
const bucket = 'svc-test';

/** Starts LocalStack with nothing but S3 on a free port; takes a second or two. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-s3-'));
  const localstack = await startLocalStack({ services: ['s3'], folder, region });
  const { endpoint } = localstack;
  const accessKeyId = localstack.env['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = localstack.env['AWS_SECRET_ACCESS_KEY'] ?? '';
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  const makeBucket = (): Promise<unknown> =>
    client.send(new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration: { LocationConstraint: region } }));
  const server: S3Server = {
    endpoint,
    bucket,
    env: {
      STORAGE_BACKEND: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKeyId,
      S3_SECRET_KEY: secretAccessKey,
    },
    client,
    start: async () => {
      await localstack.start();
      await makeBucket();
    },
    stop: () => localstack.stop(),
    remove: async () => {
      await server.stop();
      client.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await makeBucket();
  return server;
}
