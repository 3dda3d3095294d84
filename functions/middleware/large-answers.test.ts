import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { operations, type Operation } from '@svc/contracts';
import type { Context } from 'aws-lambda';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { httpEvent, refusal, type Sent } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';
import type { HttpResult } from '../http-event.ts';
import { httpHandler } from '../http-handler.ts';
import type { Reply } from '../route.ts';

const test = await openTestPorts();
afterAll(() => test.close());

/** What was put into the store, and how the store was to hand it out. */
let stored: { bytes: Buffer; area: string | undefined }[];
let linked: Parameters<UploadTargets['presignGet']>[0][];
beforeEach(async () => {
  await test.reset();
  [stored, linked] = [[], []];
});
const now = new Date();
const ports = {
  ...test.ports,
  clock: { now: () => now },
  objects: {
    ...test.ports.objects,
    create: async (suffix: string, content: AsyncIterable<Uint8Array>, area?: string) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      stored.push({ bytes: Buffer.concat(chunks), area });
      return { key: `answers/${'0'.repeat(31)}${stored.length}${suffix}`, sizeBytes: 0 };
    },
  },
  uploadTargets: {
    ...test.ports.uploadTargets,
    presignGet: async (download: Parameters<UploadTargets['presignGet']>[0]) => {
      linked.push(download);
      return `https://store.example/${download.key}?signed`;
    },
  },
};

const lambda = { awsRequestId: '1', functionName: 'report' } as Context;
const name = 'exportFindingsCsv';

/** What a caller of a function gets of a use case with this result. */
async function answered(
  reply: Reply,
  {
    access = 'anyone',
    context = lambda,
    operation: answering = { ...operations[name], access },
    ...sent
  }: Sent & { access?: Operation['access']; context?: Context | null; operation?: Operation } = {},
): Promise<HttpResult> {
  const handler = httpHandler([{ name, operation: answering, run: async () => reply }], ports);
  return handler(httpEvent('GET', '/jobs/7/findings.csv', sent), context ?? undefined);
}

const disposition = { 'content-disposition': 'attachment; filename="job_7_findings.csv"' };
/** Which no coding makes smaller. */
const bytes = randomBytes(6_000_000);
const large: Reply = { output: undefined, bytes, headers: disposition, cookies: ['seen=1'] };

it('sends clients of a function to the store for what Lambda does not hand over', async () => {
  const answer = await answered(large);
  expect(answer).toMatchObject({
    statusCode: 303,
    headers: {
      location: expect.stringMatching(/^https:\/\/store\.example\/answers\/[0-9a-f]{32}\.answer\?signed$/) as unknown,
      'cache-control': 'no-store, private',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.anything() as unknown,
    },
    cookies: ['seen=1'],
  });
  expect(Object.keys(answer.headers ?? {}).filter((header) => header.startsWith('content-'))).toEqual([
    'content-security-policy',
  ]);
  expect([answer.body, answer.isBase64Encoded]).toEqual([undefined, undefined]);
  expect(stored.map((one) => [one.bytes.equals(bytes), one.area])).toEqual([[true, 'answers']]);
  expect(linked).toEqual([
    {
      key: `answers/${'0'.repeat(31)}1.answer`,
      expiresAt: new Date(now.getTime() + 300_000),
      headers: { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store, private', ...disposition },
    },
  ]);
});

/** An operation that answers with JSON of any size. */
const operation: Operation = { ...operations.getTaskLog, path: operations[name].path, access: 'anyone' };
const said = (log: string): Reply => ({ output: { log_output: log, truncated: false } });

it('counts an answer as Lambda does, with all that JSON makes of it', async () => {
  // Each sign is two bytes in the answer's JSON, and four in Lambda's of the answer.
  expect((await answered(said('"'.repeat(1_400_000)), { operation })).statusCode).toBe(200);
  const longer = said('"'.repeat(1_600_000));
  expect((await answered(longer, { operation })).statusCode).toBe(303);
  expect(String(stored[0]?.bytes) === JSON.stringify(longer.output)).toBe(true);
  expect(linked[0]?.headers['content-type']).toBe('application/json');
});

it('packs for those who take it, and says so to the store where even that is too large', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  expect((await answered(said('x'.repeat(8_000_000)), { operation, headers })).statusCode).toBe(200);
  expect(stored).toHaveLength(0);
  const noise = said(randomBytes(6_000_000).toString('base64'));
  expect((await answered(noise, { operation, headers })).statusCode).toBe(303);
  expect(linked[0]?.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(stored[0]!.bytes).toString() === JSON.stringify(noise.output)).toBe(true);
});

it('stores nothing for who may not have it', async () => {
  const user = await signIn(test.ports, 'user');
  expect(refusal(await answered(large, { access: 'admin' }))).toEqual([401, 'unauthenticated']);
  expect(refusal(await answered(large, { access: 'admin', cookies: [user] }))).toEqual([403, 'forbidden']);
  expect(stored).toHaveLength(0);
  expect((await answered(large, { access: 'user', cookies: [user] })).statusCode).toBe(303);
});

it('hands over all by itself where there is no Lambda', async () => {
  const answer = await answered(large, { context: null });
  expect([answer.statusCode, answer.headers?.['location']]).toEqual([200, undefined]);
  expect(Buffer.from(answer.body!, 'base64').equals(bytes)).toBe(true);
  expect(stored).toHaveLength(0);
});
