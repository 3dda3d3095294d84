import { overriding } from '@svc/adapters/testing/overriding.ts';
import type { SubmittedJob } from '@svc/contracts';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { formType, uploadForm } from '../../test/support/multipart.ts';
import { openGateway } from '../../test/support/open-gateway.ts';
import { signIn } from '../../test/support/sessions.ts';

const places = 4;
let receiving = 0;
let mostAtOnce = 0;
let fails = false;
let freeBytes: number | null = null;
const gateway = await openGateway({
  deployment: { maxConcurrentUploads: places },
  over: ({ objects }) => ({
    objects: overriding(objects, {
      check: async () => ({ freeBytes }),
      create: async (suffix, content) => {
        receiving += 1;
        mostAtOnce = Math.max(mostAtOnce, receiving);
        // Long enough for others to come meanwhile.
        await sleep(5);
        if (fails) throw new Error('the disk is gone');
        return objects.create(suffix, content).finally(() => (receiving -= 1));
      },
    }),
  }),
});
afterAll(() => gateway.close());

async function send(body = uploadForm(gateway.workflow), more: Record<string, string> = {}): Promise<Response> {
  // Of a connection that is kept, either side may think that it is over.
  const headers = { 'content-type': formType, accept: 'application/json', connection: 'close', ...more };
  return fetch(`${gateway.url}/upload`, { method: 'POST', headers, body: new Uint8Array(body) });
}

it('lets 200 uploads at once in by four, and all of those that come again', async () => {
  let refusals = 0;
  const accounts: Record<string, string>[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    accounts.push({ cookie: await signIn(gateway.ports, 'user', name), origin: gateway.url });
  }
  /** Half of them by accounts. Waits only a fraction of `Retry-After`. */
  const persistent = async (_: unknown, at: number): Promise<number> => {
    const body = uploadForm(gateway.workflow);
    for (;;) {
      const answer = await send(body, at % 2 === 0 ? {} : accounts[at % places]);
      if (answer.status !== 429) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([202, null]);
        return ((await answer.json()) as SubmittedJob).job_id;
      }
      expect(await answer.json()).toMatchObject({ code: 'busy' });
      expect(answer.headers.get('retry-after')).toBe('5');
      refusals += 1;
      await sleep(1000);
    }
  };
  const before = await gateway.stored();
  const jobs = await Promise.all(Array.from({ length: 200 }, persistent));
  expect(new Set(jobs).size).toBe(200);
  expect(await gateway.stored()).toBe(before + 200);
  expect(mostAtOnce).toBe(places);
  expect(refusals).toBeGreaterThan(0);
  const together = await Promise.all(accounts.map((account) => send(undefined, account)));
  expect(together.map(({ status }) => status)).toEqual(Array(places).fill(202));
}, 300_000);

it('keeps a gibibyte free, counting what is under way', async () => {
  freeBytes = 1_073_741_824 + 150_000;
  const large = uploadForm(gateway.workflow, 100_000);
  const headers = { 'content-type': formType, 'content-length': large.length };
  const slow = request(`${gateway.url}/upload`, { method: 'POST', headers });
  slow.on('error', () => undefined);
  const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
  // More than a head, so that it has reached the store.
  slow.write(large.subarray(0, 80_000));
  await expect.poll(() => receiving, { timeout: 20_000 }).toBe(1);
  const refused = await send(uploadForm(gateway.workflow, 60_000));
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    507,
    null,
    expect.objectContaining({ code: 'low_space' }),
  ]);
  expect((await send(uploadForm(gateway.workflow, 40_000))).status).toBe(202);
  slow.end(large.subarray(80_000));
  expect((await answered)[0].statusCode).toBe(202);
  expect((await send(uploadForm(gateway.workflow, 60_000))).status).toBe(202);
  freeBytes = null;
});

it('gives the place back whatever became of the upload', async () => {
  const attempts: [string, () => Promise<Response>, number][] = [
    ['refused for its form', () => send(Buffer.from('nonsense')), 400],
    ['refused for its workflow', () => send(uploadForm('999999')), 400],
    ['larger than it may be', () => send(uploadForm(gateway.workflow, 11 * 1_048_576)), 413],
    [
      'refused for its sender',
      () => fetch(`${gateway.url}/api/v1/jobs`, { method: 'POST', headers: { 'content-type': formType }, body: 'x' }),
      401,
    ],
  ];
  for (const [name, attempt, status] of attempts) {
    for (let time = 0; time < places + 1; time++) expect([name, (await attempt()).status]).toEqual([name, status]);
  }
  fails = true;
  for (let time = 0; time < places + 1; time++) expect((await send()).status).toBe(500);
  fails = false;
  expect((await send()).status).toBe(202);
});
