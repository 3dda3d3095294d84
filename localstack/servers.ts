import { startPostgres } from '../test/support/postgres-server.ts';
import { startRedis } from '../test/support/redis-server.ts';
import { startLocalStack, type LocalStack } from './host-mode.ts';

/** What the AWS mode stands on: LocalStack, and what takes the place of RDS and ElastiCache. */
export interface Servers {
  readonly aws: Pick<LocalStack, 'endpoint' | 'env'>;
  readonly databaseUrl: string;
  readonly keyValueUrl: string;
  /** Ends what was started; all of its data goes. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly folder: string;
  /** Of LocalStack; a free one when unset. */
  readonly port?: number;
  /** Ends a start that nobody waits for any more. */
  readonly signal?: AbortSignal;
  /** Servers to use instead of starting some. */
  readonly given?: { readonly databaseUrl?: string | undefined; readonly keyValueUrl?: string | undefined };
}

/** All that the stacks need, and the CDK to deploy them; each is in the community edition. */
export const services = [
  'cloudformation',
  'dynamodb',
  'iam',
  'kms',
  'logs',
  's3',
  'secretsmanager',
  'sqs',
  'ssm',
  'sts',
];

/** As processes of this machine. */
export async function startHostServers({ folder, port, signal, given = {} }: ServerOptions): Promise<Servers> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    const databaseUrl = given.databaseUrl ?? (await started(startPostgres(), (server) => server.remove(), stops)).url;
    const keyValueUrl = given.keyValueUrl ?? (await started(startRedis(), (server) => server.stop(), stops)).url;
    const localstack = startLocalStack({ services, folder, signal, ...(port !== undefined && { port }) });
    const aws = await started(localstack, (server) => server.stop(), stops);
    return { aws, databaseUrl, keyValueUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function started<T>(
  starting: Promise<T>,
  stop: (server: T) => Promise<void>,
  stops: (() => Promise<void>)[],
): Promise<T> {
  const server = await starting;
  stops.push(() => stop(server));
  return server;
}
