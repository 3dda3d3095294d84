import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readCredentials, saveCredentials, serviceUrl } from './read-credentials.ts';

const home = mkdtempSync(join(tmpdir(), 'svc-config-'));
const file = join(home, 'svc/config.json');
const variables = { XDG_CONFIG_HOME: home };
const asked = { server: undefined, insecureHttp: false };
afterAll(() => rmSync(home, { recursive: true }));

function save(text: string, mode = 0o600): void {
  mkdirSync(join(home, 'svc'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

beforeEach(() => save('{"url":"https://svc.example.org/","token":"svc_saved"}'));

describe('the service and the token', () => {
  it('are those that were saved', async () => {
    const saved = { url: 'https://other.example.org/svc', token: 'svc_x', insecureHttp: false };
    rmSync(join(home, 'svc'), { recursive: true });
    expect(await saveCredentials(saved, variables)).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readCredentials(asked, variables)).toEqual(saved);
    chmodSync(file, 0o640);
    await saveCredentials(saved, variables);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('"svc_x"');
  });

  it('come first from the command line, then from the environment', async () => {
    const environment = { ...variables, SVC_URL: 'https://env.example.org', SVC_TOKEN: 'svc_env' };
    expect(await readCredentials(asked, environment)).toMatchObject({ url: environment.SVC_URL, token: 'svc_env' });
    const named = { ...asked, server: 'https://named.example.org/' };
    expect(await readCredentials(named, environment)).toMatchObject({
      url: 'https://named.example.org',
      token: 'svc_env',
    });
    expect(await readCredentials(asked, { ...variables, SVC_TOKEN: 'svc_env' })).toMatchObject({
      url: 'https://svc.example.org',
      token: 'svc_env',
    });
  });

  it('belong together: a saved token goes to no other service', async () => {
    const same = { ...asked, server: 'HTTPS://SVC.example.org:443' };
    expect(await readCredentials(same, variables)).toMatchObject({ token: 'svc_saved' });
    const other = { ...asked, server: 'https://svc.example.net' };
    await expect(readCredentials(other, variables)).rejects.toThrow(
      'no token for https://svc.example.net: set SVC_TOKEN',
    );
  });

  it('are read from no file that others can read', async () => {
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      save('{"url":"https://svc.example.org","token":"svc_saved"}', mode);
      await expect(readCredentials(asked, variables)).rejects.toThrow(`chmod 600 ${file}`);
    }
    const given = { ...variables, SVC_TOKEN: 'svc_env' };
    await expect(readCredentials({ ...asked, server: 'https://svc.example.org' }, given)).resolves.toBeDefined();
  });

  it('are asked for where there are none', async () => {
    for (const text of ['', '[]x', '"x"', '{"url":7}']) {
      save(text);
      await expect(readCredentials(asked, variables)).rejects.toThrow('cannot be read as JSON');
    }
    rmSync(file);
    await expect(readCredentials(asked, variables)).rejects.toThrow('Say which service');
    await expect(readCredentials({ ...asked, server: 'https://svc.example.org' }, variables)).rejects.toThrow(
      'no token',
    );
  });

  it('never repeat a token that is none', async () => {
    const odd = { ...variables, SVC_TOKEN: 'secret\nwords' };
    await expect(readCredentials(asked, odd)).rejects.toThrow(/^The token is empty or has characters of no token$/);
  });

  it.each([
    ['http://svc.example.org', false],
    ['http://127.0.0.1.example.org', false],
    ['http://10.0.0.7:8000', false],
    ['http://localhost:8000', true],
    ['http://127.0.0.1:8000', true],
    ['http://127.8.9.10', true],
    ['http://[::1]:8000', true],
    ['https://svc.example.org', true],
  ])('go to %s without more ado: %s', async (server, isFine) => {
    const given = { ...variables, SVC_TOKEN: 'svc_env' };
    const problem = await readCredentials({ server, insecureHttp: false }, given).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(problem.includes('--insecure-http')).toBe(!isFine);
    await expect(readCredentials({ server, insecureHttp: true }, given)).resolves.toBeDefined();
  });
});

it.each([
  'svc.example.org',
  'ftp://svc.example.org',
  'https://me:pw@svc.example.org',
  'https://svc.example.org/?a=1',
  '',
])('refuses %j as the address of a service', (text) => {
  expect(() => serviceUrl(text)).toThrow('The service’s address');
});
