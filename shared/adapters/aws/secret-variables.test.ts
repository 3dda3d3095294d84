import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectionTo } from '../postgres/server-pool.ts';
import { secretVariables } from './secret-variables.ts';

const database = {
  engine: 'postgres',
  host: 'db.example',
  port: 5432,
  username: 'app',
  password: 'a/b@c',
  dbname: 'svc',
};
const secrets: Record<string, string> = {
  'arn:keys': JSON.stringify({ SECRET_KEY: 'k'.repeat(64), EDGE_KEY: 'edge', PORT: 8080 }),
  'arn:kv': JSON.stringify({ KV_PASSWORD: 'kv', EDGE_KEY: 'other edge' }),
  'arn:database': JSON.stringify(database),
  'arn:text': 'hunter2',
  'arn:list': '["hunter2"]',
  'arn:half': JSON.stringify({ ...database, host: undefined }),
};
const asked: string[] = [];

/** Answers as Secrets Manager does. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { SecretId: id } = JSON.parse(await text(request)) as { SecretId: string };
  asked.push(`${String(request.headers['x-amz-target'])} ${id}`);
  const value = secrets[id];
  response.statusCode = value === undefined ? 400 : 200;
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  const missing = { __type: 'ResourceNotFoundException', message: 'Secrets Manager can’t find the secret.' };
  response.end(JSON.stringify(value === undefined ? missing : { ARN: id, Name: id, SecretString: value }));
}
const server = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
beforeEach(() => void (asked.length = 0));
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

it('asks nobody where no secret is named', async () => {
  expect(await secretVariables({ SECRETS_MANAGER_IDS: '', DATABASE_SECRET_ID: '' })).toEqual({});
  expect(await secretVariables({})).toEqual({});
  expect(asked).toEqual([]);
});

it('lays the fields of all secrets together, the later ones on top', async () => {
  expect(await secretVariables({ SECRETS_MANAGER_IDS: 'arn:keys, arn:kv' })).toEqual({
    SECRET_KEY: 'k'.repeat(64),
    PORT: '8080',
    KV_PASSWORD: 'kv',
    EDGE_KEY: 'other edge',
  });
  expect(asked.sort()).toEqual(['secretsmanager.GetSecretValue arn:keys', 'secretsmanager.GetSecretValue arn:kv']);
});

it('makes the direct URL of the database of the secret that RDS keeps', async () => {
  expect(await secretVariables({ DATABASE_SECRET_ID: 'arn:database' })).toEqual({
    SYNC_DATABASE_URL: 'postgres://app:a%2Fb%40c@db.example:5432/svc?sslmode=verify-full',
  });
});

describe('authorities of the database', () => {
  let answers: (readonly [status: number, body: string])[];
  const store = createServer((_, response) => {
    const [status, body] = answers.shift() ?? [500, ''];
    response.writeHead(status).end(body);
  });
  let DATABASE_CA_URL = '';
  beforeAll(async () => {
    store.listen(0, '127.0.0.1');
    await once(store, 'listening');
    DATABASE_CA_URL = `http://127.0.0.1:${(store.address() as AddressInfo).port}/bundle.pem`;
  });
  afterAll(() => void store.close());
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

  it('are fetched, again where it did not work at once, and trusted for it alone', async () => {
    answers = [
      [503, 'busy'],
      [200, pem],
    ];
    const { SYNC_DATABASE_URL } = await secretVariables({ DATABASE_SECRET_ID: 'arn:database', DATABASE_CA_URL });
    const { searchParams } = new URL(SYNC_DATABASE_URL!);
    expect(searchParams.get('sslmode')).toBe('verify-full');
    expect(await readFile(searchParams.get('sslrootcert')!, 'utf8')).toBe(pem);
    // What makes connections of it trusts these and checks the name.
    expect(connectionTo(SYNC_DATABASE_URL!).ssl).toEqual({ ca: pem });
  });

  it('say in a sentence why they are not there', async () => {
    answers = Array.from({ length: 4 }, () => [200, '<html>'] as const);
    await expect(secretVariables({ DATABASE_SECRET_ID: 'arn:database', DATABASE_CA_URL })).rejects.toThrow(
      'DATABASE_CA_URL cannot be fetched: it answers 200, and no certificates',
    );
  });
});

it.each([
  ['arn:none', /^The secret arn:none cannot be read: .*find the secret/],
  ['arn:text', /^The secret arn:text is no JSON$/],
  ['arn:list', /^The secret arn:list is not what it should be$/],
])('says what is wrong with %s, and nothing that is in it', async (id, message) => {
  const failure = secretVariables({ SECRETS_MANAGER_IDS: id });
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.not.toThrow(/hunter2/);
});

it('names what a secret of RDS lacks', async () => {
  await expect(secretVariables({ DATABASE_SECRET_ID: 'arn:half' })).rejects.toThrow(
    'The secret arn:half is not what it should be: look at host',
  );
});
