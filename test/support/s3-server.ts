import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ended, freePort, startProgram } from './programs.ts';

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

// The only pair whose signatures LocalStack checks without its IAM.
const accessKeyId = 'test';
const secretAccessKey = 'test';
/** Where `npm test` installs it. */
const ownPath = fileURLToPath(new URL('../../.build/localstack-4.11.1/bin/localstack-supervisor', import.meta.url));
const region = 'eu-central-1';
const bucket = 'svc-test';

/** Starts LocalStack with nothing but S3 on a free port; takes a second or two. */
export async function startS3(): Promise<S3Server> {
  const python = join(dirname(process.env.LOCALSTACK_PATH ?? ownPath), 'python');
  const folder = await mkdtemp(join(tmpdir(), 'svc-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  let child: ChildProcess | null = null;
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
      const answers = async (): Promise<void> => {
        const health = await fetch(`${endpoint}/_localstack/health`);
        if (!health.ok) throw new Error('not ready');
      };
      const args = ['-m', 'localstack.runtime.main'];
      child = await startProgram(python, args, { answers, cwd: folder, env: environment(folder, port) });
      await client.send(
        new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration: { LocationConstraint: region } }),
      );
    },
    stop: async () => {
      if (child) await ended(child, 'SIGKILL');
    },
    remove: async () => {
      await server.stop();
      client.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Everything that LocalStack writes goes below the folder; it asks nobody outside this machine. */
function environment(folder: string, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    SERVICES: 's3',
    STRICT_SERVICE_LOADING: '1',
    EAGER_SERVICE_LOADING: '1',
    S3_SKIP_SIGNATURE_VALIDATION: '0',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    DISABLE_EVENTS: '1',
    DNS_ADDRESS: '0',
  };
}
