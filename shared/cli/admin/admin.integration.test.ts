import { makeServerDatabase, openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { startServer } from '../../../test/support/server.ts';

const launcher = fileURLToPath(new URL('../bin/svc.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function admin(dataDir: string, argv: string[], input = '', settings: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'admin', ...argv], {
    env,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replace(/^Building server …\n/, '') };
}

it('lets a locked-out operator in again, while the service runs or not', async () => {
  const server = await startServer();
  const login = (url: string, password: string) =>
    fetch(`${url}/auth/cookie/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'admin@localhost', password }),
    });
  try {
    const set = admin(server.dataDir, ['set-password', 'admin@localhost'], 'battery staple\n');
    expect(set).toEqual({
      status: 0,
      stdout: 'admin@localhost has a new password; its sessions have ended.\n',
      stderr: '',
    });
    expect((await login(server.url, 'battery staple')).status).toBe(204);
    await server.stop();
    expect(admin(server.dataDir, ['list-users'])).toMatchObject({ status: 0, stderr: '' });
    expect(admin(server.dataDir, ['set-password', 'admin@localhost'], 'password1\n')).toMatchObject({ status: 1 });
    expect(admin(server.dataDir, ['set-password', 'admin@localhost'], 'horse battery\n')).toMatchObject({ status: 0 });
    const again = await startServer({ dataDir: server.dataDir });
    try {
      expect((await login(again.url, 'horse battery')).status).toBe(204);
    } finally {
      await again.stop();
    }
  } finally {
    await server.stop();
    await server.remove();
  }
});

it('makes no database where there is none', () => {
  const wrong = admin(join(folder, 'nowhere'), ['create-admin', 'me@example.org', '--generate']);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('There is no database yet; set DATA_DIR');
  expect(readdirSync(folder)).toEqual([]);
  expect(admin(folder, ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('svc admin COMMAND') });
});

describeWith('postgres', 'on a PostgreSQL server', () => {
  it('changes accounts while the service runs', async () => {
    const url = await makeServerDatabase({ isEmpty: true });
    const settings = { DATABASE_URL: url, SECRET_KEY: '0123456789abcdef'.repeat(4) };
    const early = admin(folder, ['list-users'], '', settings);
    expect(early).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no database yet') });
    const server = await startServer({ env: settings });
    try {
      const made = admin(folder, ['create-admin', 'me@example.org'], 'battery staple\n', settings);
      expect(made).toEqual({ status: 0, stdout: 'me@example.org is an administrator now.\n', stderr: '' });
      const body = new URLSearchParams({ username: 'me@example.org', password: 'battery staple' });
      expect((await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body })).status).toBe(204);
    } finally {
      await server.stop();
      await server.remove();
    }
    const database = await openServerDatabase(url);
    try {
      await database.orm.execute('delete from drizzle.__drizzle_migrations where id > 50');
      const refused = admin(folder, ['backup', join(folder, 'backup')], '', settings);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('schema of an earlier version') });
      expect(await database.migrations()).toBe('pending');
    } finally {
      await database.close();
    }
  });
});
