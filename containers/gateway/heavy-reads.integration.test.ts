import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import type { ExportedFinding } from '@svc/contracts';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openGateway } from '../../test/support/open-gateway.ts';
import { signIn } from '../../test/support/sessions.ts';

let made = 0;
let atOnce = 0;
let mostAtOnce = 0;
let held: Promise<void> | null = null;
const gateway = await openGateway({
  deployment: { http: { trustedProxies: ['127.0.0.1'] } },
  over: ({ findings }) => ({
    findings: overriding(findings, {
      withEvents: async (id) => {
        made += 1;
        mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
        await held;
        return findings.withEvents(id).finally(() => (atOnce -= 1));
      },
    }),
  }),
});
const { ports, test, url } = gateway;
afterAll(() => gateway.close());
beforeEach(async () => {
  await test.reset();
  test.advance(60);
  [made, mostAtOnce, held] = [0, 0, null];
});

const visitor = { kind: 'anonymous', ip: '192.0.2.1' } as const;

/** Of a job: its findings, as they are downloaded. */
function read(job: number, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/jobs/${job}/findings.json`, { headers: { accept: 'application/json', ...headers } });
}

it('makes the findings of an ended job once for twenty readers and all later ones', async () => {
  const job = await analyzeLog(ports, visitor);
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(job)));
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<ExportedFinding[]>));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(bodies[0]!.length).toBeGreaterThan(0);
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  const plain = await read(job, { 'accept-encoding': 'identity' });
  expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, bodies[0]]);
  expect(plain.headers.get('content-disposition')).toContain(`job_${job}_findings.json`);
  expect(plain.headers.get('cache-control')).toBe(answers[0]!.headers.get('cache-control'));
  expect(made).toBe(1);
});

it('tells nobody what is kept of a private job, and nothing when it is gone', async () => {
  const cookie = await signIn(ports, 'user');
  const { id } = (await ports.accounts.findByEmail('user@example.org'))!;
  const owner = { kind: 'account', userId: id, email: 'user@example.org', role: 'user', ip: '192.0.2.1' } as const;
  const job = await analyzeLog(ports, owner, { is_private: true });
  const stranger = await signIn(ports, 'member');
  expect((await read(job, { cookie })).status).toBe(200);
  for (const headers of [{}, { cookie: stranger }]) expect((await read(job, headers)).status).toBe(404);
  const admin = { cookie: await signIn(ports, 'admin'), origin: url, 'content-type': 'application/json' };
  expect((await fetch(`${url}/jobs/${job}/delete`, { method: 'POST', headers: admin, body: '{}' })).status).toBe(200);
  expect((await read(job, { cookie })).status).toBe(404);
});

it('makes two large answers at once, one of each network, and lets small ones pass', async () => {
  const jobs: number[] = [];
  for (let at = 0; at < 6; at++) jobs.push(await analyzeLog(ports, visitor, { content: `ElfFile\0${at}` }));
  let goOn = (): void => undefined;
  held = new Promise((resolve) => (goOn = resolve));
  const greedy = jobs.slice(0, 4).map((job) => read(job, { 'x-forwarded-for': '192.0.2.1' }));
  await expect.poll(() => made).toBe(1);
  const other = read(jobs[4]!, { 'x-forwarded-for': '192.0.2.2' });
  await expect.poll(() => made).toBe(2);
  const third = read(jobs[5]!, { 'x-forwarded-for': '192.0.2.3' });
  expect((await fetch(`${url}/jobs/${jobs[5]}/status`)).status).toBe(200);
  expect(made).toBe(2);
  goOn();
  const answers = await Promise.all([...greedy, other, third]);
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect([made, mostAtOnce]).toEqual([6, 2]);
});
