import { cached, copyAsIs, copyServerDatabase, removeRuntimeFiles } from '@svc/adapters/testing/database-template.ts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { LocalDatabase } from '@svc/adapters/postgres/local-database.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { sql } from 'drizzle-orm';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, freePort } from './programs.ts';

const entryOf = (program: 'server' | 'worker') => join(projectRoot(), `dist/${program}/main.mjs`);

/** A process of the built product. */
export interface Program {
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  isRunning(): boolean;
  /** Ends the process; `SIGKILL` leaves everything as a crash would. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The built product, running as its users run it, with a data directory of its own. */
export interface Server extends Program {
  readonly url: string;
  readonly dataDir: string;
  /** Removes the data directory. */
  remove(): Promise<void>;
}

interface Listening {
  /** Told what the process prints, as it does. */
  readonly onOutput?: (text: string) => void;
  /** What the process takes its machine to be called; only root can say so. @default as it is */
  readonly hostname?: string;
}

/**
 * Starts the built server on a free port and waits until its `/health` answers with this status (200 by default). Without
 * a data directory it gets one with the shipped rules and workflows, as they are before there is anybody; that takes a
 * fraction of the time.
 */
export async function startServer(
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; health?: number; port?: number } & Listening = {},
): Promise<Server> {
  const dataDir = options.dataDir ?? (await newDataDir(options.env));
  const port = options.port ?? (await freePort());
  const env = { ...options.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir };
  const program = start('server', env, options);
  const url = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> => {
    const health = await fetch(`${url}/health`).catch(() => null);
    return health?.status === (options.health ?? 200);
  };
  await until(answers, program);
  return { ...program, url, dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function newDataDir(env: NodeJS.ProcessEnv = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  if (env['DATABASE_URL']) return dataDir;
  // The database names objects, which are to be in the same place.
  if (env['S3_BUCKET']) await copyServerDatabase(dataDir);
  else for (const part of parts) copyAsIs(join(await preparedFolder(), part), join(dataDir, part));
  return dataDir;
}

/** What a data directory holds, but for its key. */
const parts = ['objects', 'postgres'];

/** A data directory that the built server has prepared, which takes more than half of a first start. */
function preparedFolder(): Promise<string> {
  const built = readFileSync(join(projectRoot(), 'dist/.server-built-from'), 'utf8').slice(0, 12);
  return cached(`prepared-${built}`, async (to) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-prepared-'));
    await copyServerDatabase(folder);
    const server = await startServer({ dataDir: folder, env: { TASKQ_WORKERS: '0' } });
    await server.stop();
    const database = new LocalDatabase(folder, silentLog);
    await database.open();
    await database.orm.execute(sql`with accounts as (delete from accounts), tasks as (delete from queued_tasks)
      delete from periodic_runs`);
    await database.close();
    await removeRuntimeFiles(folder);
    await mkdir(to);
    for (const part of parts) copyAsIs(join(folder, part), join(to, part));
    await server.remove();
  });
}

/** Starts the built worker and waits until it is ready. */
export async function startWorkerProcess(env: NodeJS.ProcessEnv, listening: Listening = {}): Promise<Program> {
  const program = start('worker', env, listening);
  await until(async () => program.output().includes('the worker is ready'), program);
  return program;
}

function start(
  name: 'server' | 'worker',
  env: NodeJS.ProcessEnv,
  { onOutput = () => {}, hostname }: Listening,
): Program & { readonly child: ChildProcess } {
  const elsewhere = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', hostname ?? ''];
  const [file, ...args] = [...(hostname === undefined ? [] : elsewhere), process.execPath, entryOf(name)];
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      onOutput(chunk.toString());
    });
  }
  return {
    child,
    pid: child.pid ?? 0,
    output: () => printed,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: (signal = 'SIGTERM') => ended(child, signal),
  };
}

/** A first start takes 5 s of a processor, of which a machine that does much else gives a tenth. */
const patienceMs = 180_000;

async function until(isThere: () => Promise<boolean>, program: ReturnType<typeof start>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline;) {
    if (program.child.exitCode !== null)
      throw new Error(`it ended with ${program.child.exitCode}:\n${program.output()}`);
    if (await isThere()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  program.child.kill('SIGKILL');
  throw new Error(`it was not there within three minutes:\n${program.output()}`);
}
