import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { CommentThread, NotificationItem, SubmittedJob, Workflow } from '@svc/contracts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';
import { bundleService, Service, signedIn } from './testing/killable-service.ts';

/** More steps than a comment and telling of it have; the bell lists no more than 25. */
const manySteps = 25;
const [email, password] = ['eve@example.org', 'staple battery horse'];

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-told-'));
  await bundleService();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A job that the administrator watches, and somebody else, who comments on it. */
interface Watched {
  readonly job: number;
  readonly eve: string;
}

const json = (fields: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
});

async function watchedJob(service: Service): Promise<Watched> {
  const { workflows } = await service.get<{ workflows: Workflow[] }>('/api/v1/workflows');
  const form = new FormData();
  form.set('workflow_id', String(workflows.find((one) => one.is_default)!.id));
  form.set('file', new Blob(['ElfFile\0']), 'a.evtx');
  const sent = await service.send('/api/v1/jobs', { method: 'POST', body: form });
  const { job_id: job } = (await sent.json()) as SubmittedJob;
  const added = await service.send('/admin/users', json({ email, password, role: 'member' }));
  expect([added.status, (await service.send(`/jobs/${job}/watch`, json({}))).status]).toEqual([201, 200]);
  return { job, eve: await signedIn(service.url, email, password) };
}

function say(service: Service, { job, eve }: Watched, body: string): Promise<Response> {
  const { headers, ...request } = json({ body });
  return service.send(`/comments/job/${job}`, { ...request, headers: { ...headers, cookie: eve } });
}

async function told(service: Service): Promise<string[]> {
  const { items } = await service.get<{ items: NotificationItem[] }>('/notifications');
  return items.map(({ summary }) => summary ?? '').sort();
}

/** What the administrator is told of once this has been, or after 20 s. */
async function toldOf(service: Service, body: string): Promise<string[]> {
  for (const deadline = Date.now() + 20_000; ; await sleep(20)) {
    const summaries = await told(service);
    if (summaries.includes(`eve: ${body}`) || Date.now() > deadline) return summaries;
  }
}

/** Whether it still lives when all that follows a delivery has had its time. */
async function isIdle(service: Service): Promise<boolean> {
  await sleep(500);
  return service.child.signalCode === null && service.child.exitCode === null;
}

describeWith('postgres', 'a service on a PostgreSQL server', () => {
  it('tells of everything that was committed, once, whatever step a process is killed at', async () => {
    const state = { DATA_DIR: join(root, 'killed'), DATABASE_URL: await makeServerDatabase() };
    let service = await Service.start(state);
    const { cookie } = service;
    const watched = await watchedJob(service);
    const expected: string[] = [];
    const ends = new Set<string>();
    for (let step = 1; ; step += 1) {
      expect(step, 'it goes on and on').toBeLessThan(manySteps);
      const body = `step ${step}`;
      await service.dieAt(step);
      const answer = await say(service, watched, body).catch(() => null);
      // The death may be yet to come: it is told of after the answer.
      const isOver =
        answer !== null && (await toldOf(service, body).catch(() => null)) !== null && (await isIdle(service));
      await service.stop();
      service = await Service.start(state, { cookie });
      const { comments } = await service.get<CommentThread>(`/comments/job/${watched.job}`);
      const isCommitted = comments.some((comment) => comment.body === body);
      ends.add(`${answer === null ? 'no answer' : 'answer'}, ${isCommitted ? 'committed' : 'not committed'}`);
      if (isCommitted) expected.push(`eve: ${body}`);
      if (isCommitted) await toldOf(service, body);
      expect(await told(service)).toEqual(expected.toSorted());
      if (isOver) break;
    }
    expect([...ends].sort()).toEqual(['answer, committed', 'no answer, committed', 'no answer, not committed']);
    await service.stop();
  }, 600_000);

  it('tells within a second of the answer', async () => {
    const state = { DATA_DIR: join(root, 'quick'), DATABASE_URL: await makeServerDatabase() };
    const service = await Service.start(state);
    const watched = await watchedJob(service);
    const waits: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      const { unread } = await service.get<{ unread: number }>('/notifications/count');
      expect((await say(service, watched, `turn ${turn}`)).status).toBe(200);
      const answered = performance.now();
      for (;;) {
        const now = await service.get<{ unread: number }>('/notifications/count');
        if (now.unread > unread) break;
        await sleep(1);
      }
      waits.push(performance.now() - answered);
    }
    waits.sort((a, b) => a - b);
    expect(waits[94]).toBeLessThan(1000);
    await service.stop();
  }, 120_000);
});
