import { copyServerDatabase } from '@svc/adapters/testing/database-template.ts';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.ts';

const entry = fileURLToPath(new URL('../../dist/server/main.mjs', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-start-'));
  await chmod(folder, 0o711);
  await copyServerDatabase(join(folder, 'refused'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** From the signal to the end. */
  readonly tookMs: number;
}

/** Runs the built server until it ends; `signal` is sent once it serves. */
function run(env: NodeJS.ProcessEnv, signal?: NodeJS.Signals): Promise<Ended> {
  const all = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data'), ...env };
  const child = spawn(process.execPath, [entry], { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  let asked = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const served = out.includes('Serving on');
    out += chunk.toString();
    if (!signal || served || !out.includes('Serving on')) return;
    asked = Date.now();
    child.kill(signal);
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err, tookMs: Date.now() - asked })));
}

describe('a start', () => {
  it('prints the generated login the first time, and every time where it serves', async () => {
    const dataDir = join(folder, 'first');
    const first = await run({ DATA_DIR: dataDir }, 'SIGTERM');
    const password = /password +(\S+)/.exec(first.out)?.[1];
    expect(first.out).toMatch(/First start[^]*admin@localhost[^]*Serving on http:\/\/127\.0\.0\.1:\d+\n/);
    const server = await startServer({ dataDir });
    try {
      expect(server.output()).not.toContain('password');
      const login = (secret: string) =>
        fetch(`${server.url}/auth/cookie/login`, {
          method: 'POST',
          body: new URLSearchParams({ username: 'admin@localhost', password: secret }),
        });
      expect((await login(password!)).status).toBe(204);
      expect((await login('another')).status).toBe(400);
    } finally {
      await server.stop();
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by %s in a few seconds, with everything closed', async (signal) => {
    const dataDir = join(folder, signal);
    await copyServerDatabase(dataDir);
    const ended = await run({ DATA_DIR: dataDir }, signal);
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/Serving on .*\nStopping …\n$/);
    expect(ended.tookMs).toBeLessThan(20_000);
    expect(await readdir(dataDir)).not.toContain('database.lock');
  });

  it('on a busy port says so in a sentence, and has changed nothing', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = (other.address() as AddressInfo).port;
    const dataDir = join(folder, 'busy');
    const ended = await run({ PORT: String(port), DATA_DIR: dataDir });
    other.close();
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toBe(`Port ${port} is in use by another program; set PORT to a free one.\n`);
    expect(await readdir(dataDir)).not.toContain('database');
  });

  it('on a data directory in use says so in a sentence', async () => {
    const server = await startServer();
    const ended = await run({ DATA_DIR: server.dataDir });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/^Cannot start: Another process \(\d+\) uses this data directory; .*\n$/);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await server.stop();
    await server.remove();
  });

  it.each([
    [{ PORT: 'eighty' }, /^Cannot start: Wrong settings in the environment: PORT: .*\n$/],
    [{ HOST: '192.0.2.1' }, /^Cannot listen on 192\.0\.2\.1 .*set HOST and PORT\.\n$/],
    [{ SECRET_KEY: 'changeme' }, /^Cannot start: .*SECRET_KEY.*\n$/],
    [{ ADMIN_EMAIL: 'a@example.org', ADMIN_PASSWORD: 'password' }, /^Cannot start: ADMIN_PASSWORD: .*\n$/],
  ])('with %j is refused in a sentence', async (env, sentence) => {
    const ended = await run({ ...env, DATA_DIR: join(folder, 'refused') });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(sentence);
  });

  it('on something that is no folder is refused in a sentence', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const ended = await run({ DATA_DIR: join(file, 'data') });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/^Cannot use .*file.* \(ENOTDIR\); set DATA_DIR to a folder that .*\n$/);
  });
});
