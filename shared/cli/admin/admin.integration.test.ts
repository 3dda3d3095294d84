import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { startServer } from '../../../test/support/server.ts';

const launcher = fileURLToPath(new URL('../bin/svc.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-admin-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function admin(dataDir: string, argv: string[], input = '') {
  const env = { ...process.env, DATA_DIR: dataDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'admin', ...argv], {
    env,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replace(/^Building server …\n/, '') };
}

it('lets a locked-out operator in again, once the service is stopped', async () => {
  const server = await startServer();
  const login = (url: string, password: string) =>
    fetch(`${url}/auth/cookie/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'admin@localhost', password }),
    });
  try {
    const running = admin(server.dataDir, ['set-password', 'admin@localhost'], 'battery staple\n');
    expect(running).toMatchObject({ status: 2, stdout: '' });
    expect(running.stderr).toMatch(/^svc: Another process \(\d+\) uses this data directory; stop it first/);
    await server.stop();
    expect(admin(server.dataDir, ['list-users'])).toMatchObject({ status: 0, stderr: '' });
    expect(admin(server.dataDir, ['set-password', 'admin@localhost'], 'password1\n')).toMatchObject({ status: 1 });
    const set = admin(server.dataDir, ['set-password', 'admin@localhost'], 'battery staple\n');
    expect(set).toEqual({
      status: 0,
      stdout: 'admin@localhost has a new password; its sessions have ended.\n',
      stderr: '',
    });
    const again = await startServer({ dataDir: server.dataDir });
    try {
      expect((await login(again.url, 'battery staple')).status).toBe(204);
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
