import { spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ended, freePort, startProgram } from './programs.ts';

/** PostgreSQL refuses to be root; this is Debian's `nobody`. */
const nobody = { uid: 65_534, gid: 65_534 };

/** A PostgreSQL server of this test alone, on a folder that goes with it. */
export interface PostgresServer {
  /** `postgres://…` of an empty database. */
  readonly url: string;
  /** Ends it at once, as a crash would; the data stays. */
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Where its program is, or would be on Debian. */
export function postgresPath(): string {
  return process.env.POSTGRES_PATH ?? '/usr/lib/postgresql/15/bin/postgres';
}

/**
 * Makes a database cluster and starts its server on a free port.
 * @param kept - a folder where the cluster stays, and where the one is that was made before
 */
export async function startPostgres(settings: readonly string[] = [], kept?: string): Promise<PostgresServer> {
  const postgres = postgresPath();
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'svc-postgres-')));
  await mkdir(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const identity = isRoot ? nobody : {};
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'svc', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  if (!existsSync(data)) {
    const made = spawnSync(join(dirname(realpathSync(postgres)), 'initdb'), init, { encoding: 'utf8', ...identity });
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`);
  }
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: PostgresServer = {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    start: async () => {
      const args = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'fsync=off', ...settings];
      child = await startProgram(postgres, args, { answers: () => accepts(port), ...identity });
    },
    stop: async () => {
      if (child) await ended(child, 'SIGQUIT');
    },
    remove: async () => {
      await server.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Whether it takes a start-up packet and asks to sign in: it listens before it is ready. */
function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parameters = Buffer.from('user\0svc\0database\0postgres\0\0');
    const head = Buffer.alloc(8);
    head.writeInt32BE(head.length + parameters.length, 0);
    head.writeInt32BE(196_608, 4);
    socket.on('connect', () => socket.write(Buffer.concat([head, parameters])));
    socket.on('data', (reply) => {
      socket.destroy();
      if (reply[0] === 'R'.charCodeAt(0)) resolve();
      else reject(new Error('not ready'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}
