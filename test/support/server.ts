import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ended, freePort } from './programs.ts';

const entry = fileURLToPath(new URL('../../dist/server/main.mjs', import.meta.url));

/** The built product, running as its users run it, with a data directory of its own. */
export interface Server {
  readonly url: string;
  readonly dataDir: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Ends the process; `SIGKILL` leaves the data directory as a crash would. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Removes the data directory. */
  remove(): Promise<void>;
}

/** Starts the built server on a free port and waits until it answers `/health`. */
export async function startServer(options: { dataDir?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Server> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'svc-test-')));
  const port = await freePort();
  const env = { ...process.env, ...options.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child, () => printed);
  return {
    url,
    dataDir,
    output: () => printed,
    stop: (signal = 'SIGTERM') => ended(child, signal),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function answering(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${printed()}`);
    const health = await fetch(`${url}/health`).catch(() => null);
    if (health?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`the server did not answer within a minute:\n${printed()}`);
}
