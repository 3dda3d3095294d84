import { join } from 'node:path';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { freePort } from '../test/support/programs.ts';
import { awsEnvironment } from './host-mode.ts';
import { run } from './run.ts';
import { services, type ServerOptions, type Servers } from './servers.ts';

/** As containers (localstack/compose.yaml). */
export async function startDockerServers({ port, signal, given = {} }: ServerOptions): Promise<Servers> {
  const [localstack, postgres, valkey] = [port ?? (await freePort()), await freePort(), await freePort()];
  const env = {
    ...process.env,
    LOCALSTACK_SERVICES: services.join(','),
    LOCALSTACK_PORT: String(localstack),
    POSTGRES_PORT: String(postgres),
    VALKEY_PORT: String(valkey),
  };
  const file = ['compose', '--file', join(projectRoot(), 'localstack/compose.yaml')];
  const wanted = [
    'localstack',
    ...(given.databaseUrl === undefined ? ['postgres'] : []),
    ...(given.keyValueUrl === undefined ? ['valkey'] : []),
  ];
  const stop = (): Promise<void> => run('docker', [...file, 'down', '--volumes', '--timeout', '10'], { env });
  try {
    await run('docker', [...file, 'up', '--detach', '--wait', ...wanted], { env, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  const endpoint = `http://127.0.0.1:${localstack}`;
  return {
    aws: { endpoint, env: awsEnvironment(endpoint) },
    databaseUrl: given.databaseUrl ?? `postgres://svc@127.0.0.1:${postgres}/svc`,
    keyValueUrl: given.keyValueUrl ?? `redis://127.0.0.1:${valkey}`,
    stop,
  };
}
