import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startServer, startWorkerProcess, type Program, type Server } from '../test/support/server.ts';
import { deployStacks } from './deploy.ts';
import type { Servers } from './servers.ts';

/** The service as on AWS, over LocalStack, on this machine. */
export interface AwsMode {
  readonly gateway: Server;
  /** Settings of the gateway and of every worker. */
  readonly env: Readonly<Record<string, string>>;
  /** Worker processes so far, also those that have ended. */
  readonly workers: readonly Program[];
  /** Starts one more worker process. */
  worker(): Promise<Program>;
  /** Ends gateway and workers, not the servers. */
  stop(): Promise<void>;
}

export interface AwsModeOptions {
  /** For the data of gateway and workers. */
  readonly folder: string;
  /** Settings beside those of the stacks. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the gateway; a free one when unset. */
  readonly port?: number;
  readonly onOutput?: (text: string) => void;
  /** Ends a start that nobody waits for any more. */
  readonly signal?: AbortSignal;
}

/** Deploys the stacks and starts the gateway, which has the place of CloudFront, API and functions. */
export async function startAwsMode(servers: Servers, options: AwsModeOptions): Promise<AwsMode> {
  const { folder, port, onOutput, signal } = options;
  const deployed = await deployStacks(servers.aws, folder, signal);
  const env = {
    ...servers.aws.env,
    ...deployed,
    // Clients reach LocalStack at the address that the service has for it.
    S3_ENDPOINT: servers.aws.endpoint,
    S3_PUBLIC_ENDPOINT: servers.aws.endpoint,
    DATABASE_URL: servers.databaseUrl,
    KV_URL: servers.keyValueUrl,
    // No function migrates before.
    AUTO_MIGRATE: 'true',
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...options.env,
  };
  const common = { ...(onOutput && { onOutput }) };
  const gateway = await startServer({
    dataDir: join(folder, 'gateway'),
    env: { ...env, TASKQ_WORKERS: '0' },
    ...(port !== undefined && { port }),
    ...common,
  });
  const workers: Program[] = [];
  let made = 0;
  return {
    gateway,
    env,
    workers,
    worker: async () => {
      const dataDir = join(folder, `worker-${++made}`);
      const worker = await startWorkerProcess({ TASKQ_WORKERS: '1', ...env, DATA_DIR: dataDir }, common);
      workers.push(worker);
      return worker;
    },
    stop: async () => {
      await Promise.all([gateway, ...workers].map((program) => program.stop()));
    },
  };
}
