import type { ChildProcess } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ended, freePort, startProgram } from '../test/support/programs.ts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';

/** LocalStack as a process of this machine; what it holds is lost when it stops. */
export interface LocalStack {
  readonly endpoint: string;
  /** What the AWS SDK of any process must know to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it at once. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

export interface LocalStackOptions {
  /** The services to start, as AWS names them: `s3`, `dynamodb`, … */
  readonly services: readonly string[];
  /** Everything that it writes goes below; who made it removes it. */
  readonly folder: string;
  readonly region?: string;
  /** A free one when unset. */
  readonly port?: number;
  /** Ends a start that nobody waits for any more. */
  readonly signal?: AbortSignal | undefined;
}

/** With all services, on a machine that does other things too. */
const startMs = 180_000;
/** Where `scripts/programs.mjs` installs them. */
const own = {
  localstack: '.build/localstack-host-4.11.1/bin/localstack-supervisor',
  dynamodb: '.build/dynamodb-local-2.6.1/DynamoDBLocal-2.6.1.jar',
};

/** Starts LocalStack without Docker (localstack/requirements.txt) and waits until all services answer. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { folder, region, port = await freePort() } = options;
  const python = join(dirname(process.env.LOCALSTACK_PATH ?? join(projectRoot(), own.localstack)), 'python');
  const env = { ...environment(options, port), TMPDIR: join(folder, 'tmp') };
  const endpoint = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<void> => {
    const health = await fetch(`${endpoint}/_localstack/health`);
    if (!health.ok) throw new Error('not ready');
  };
  await mkdir(env.TMPDIR, { recursive: true });
  if (options.services.includes('dynamodb')) await placeDynamoDb(folder);
  let child: ChildProcess | null = null;
  const localstack: LocalStack = {
    endpoint,
    env: awsEnvironment(endpoint, region),
    start: async () => {
      const how = { answers, cwd: folder, env, patienceMs: startMs, signal: options.signal };
      child = await startProgram(python, [join(projectRoot(), 'localstack/host.py')], how);
    },
    stop: async () => {
      if (child) await ended(child, 'SIGKILL');
    },
  };
  await localstack.start();
  return localstack;
}

/** What the AWS SDK must know to use LocalStack there, and nothing of whose account the user's profile names. */
export function awsEnvironment(endpoint: string, region = 'us-east-1'): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    // The only pair whose signatures LocalStack checks without its IAM.
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_SESSION_TOKEN: '',
    AWS_PROFILE: '',
  };
}

/** It asks nobody outside this machine, and keeps to its folder even where it takes the machine for a container. */
function environment({ services, folder }: LocalStackOptions, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    FILESYSTEM_ROOT: folder,
    OVERRIDE_IN_DOCKER: '0',
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    SERVICES: services.join(','),
    STRICT_SERVICE_LOADING: '1',
    EAGER_SERVICE_LOADING: '1',
    S3_SKIP_SIGNATURE_VALIDATION: '0',
    DYNAMODB_IN_MEMORY: '1',
    DYNAMODB_LOCAL_LIBRARIES: dirname(process.env.DYNAMODB_LOCAL_PATH ?? join(projectRoot(), own.dynamodb)),
    SKIP_SSL_CERT_DOWNLOAD: '1',
    DISABLE_EVENTS: '1',
    DNS_ADDRESS: '0',
  };
}

/** Has LocalStack find Java and DynamoDB Local among what its image ships, so that it downloads neither. */
async function placeDynamoDb(folder: string): Promise<void> {
  const shipped = join(folder, 'usr/lib/localstack');
  const [java, library] = [join(shipped, 'java/21/bin'), join(shipped, 'dynamodb-local/2')];
  await rm(shipped, { recursive: true, force: true });
  await mkdir(java, { recursive: true });
  await mkdir(library, { recursive: true });
  await symlink(join(projectRoot(), 'localstack/dynamodb-local.sh'), join(java, 'java'));
  // Its presence is all that counts: the script knows where the classes are.
  await writeFile(join(library, 'DynamoDBLocal.jar'), '');
}
