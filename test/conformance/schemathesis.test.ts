import { scopes } from '@svc/domain';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/programs.ts';
import { startServer, type Server } from '../support/server.ts';

const seconds = Number(process.env.ABUSE_SECONDS ?? 12);
const seed = process.env.ABUSE_SEED ?? '1';
const [email, password] = ['root@example.org', 'correct horse battery'];
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
];

describeWith('schemathesis', 'requests made from the OpenAPI document', () => {
  let server: Server;
  let cookie: string;
  beforeAll(async () => {
    const limits = ['UPLOAD', 'AUTHENTICATED_UPLOAD', 'PREVIEW', 'LOGIN', 'RESUBMIT', 'COMMENT', 'API_TOKEN'];
    const unlimited = Object.fromEntries(limits.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '0']));
    const env = {
      ...unlimited,
      DEBUG: 'true',
      TAXII_ENABLED: 'true',
      LOG_LEVEL: 'ERROR',
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    };
    server = await startServer({ env });
    const document = await fetch(`${server.url}/api/openapi.json`);
    await writeFile(join(server.dataDir, 'openapi.json'), await document.text());
    const body = new URLSearchParams({ username: email, password });
    const signedIn = await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body });
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  });
  afterAll(async () => {
    await server?.stop();
    await server?.remove();
  });

  async function abuse(headers: Readonly<Record<string, string>>, ...more: readonly string[]): Promise<void> {
    const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const args = ['run', 'openapi.json', '--url', server.url, '--phases', 'coverage,fuzzing', '--seed', seed];
    // One worker: several exhaust the stack of some versions of Python.
    args.push('--max-time', String(seconds), '--workers', '1', '--checks', checks.join(','), '--no-shrink');
    args.push('--continue-on-failure', '--warnings', 'off', ...given, ...more);
    const child = spawn(process.env.SCHEMATHESIS_PATH ?? '', args, { cwd: server.dataDir });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code, `${printed.replaceAll(/(.)\1{200,}/g, '$1…').slice(-20_000)}\n${server.output().slice(-5000)}`).toBe(
      0,
    );
  }

  const timeout = seconds * 1000 + 120_000;
  it('are answered as it says to a visitor', () => abuse({}), timeout);

  it(
    'are answered as it says to an administrator',
    async () => {
      const headers = { cookie, origin: server.url };
      // It takes ids from lists that it has read, and would lock out its own account.
      const own = ['setUserPassword', 'endSession'];
      await abuse(headers, ...[...own, 'logout'].flatMap((name) => ['--exclude-operation-id', name]));
      await abuse(headers, ...own.flatMap((name) => ['--include-operation-id', name]), '--phases', 'coverage');
      expect((await fetch(`${server.url}/api/users/me`, { headers })).status).toBe(200);
    },
    timeout,
  );

  it(
    'are answered as it says to an API token',
    async () => {
      const made = await fetch(`${server.url}/admin/api-tokens`, {
        method: 'POST',
        headers: { cookie, origin: server.url, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'abuse', scopes }),
      });
      const { token } = (await made.json()) as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      await abuse(headers);
      expect((await fetch(`${server.url}/api/v1/workflows`, { headers })).status).toBe(200);
    },
    timeout,
  );
});
