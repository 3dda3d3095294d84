import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, Role } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getJob } from '../jobs/get-job.ts';
import { listReviewers } from './list-reviewers.ts';
import { listReviews } from './list-reviews.ts';
import { reviewFindings } from './review-findings.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

async function account(name: string, role: Role = 'member'): Promise<Extract<Actor, { kind: 'account' }>> {
  const email = `${name}@example.org`;
  const { id } = await test.ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.2' };
}

/** A job with two findings; their numbers. */
async function reported(actor: Actor, is_private = false): Promise<{ id: number; ids: number[] }> {
  const findings = [finding({ ruleId: 'one', ruleName: 'One' }), finding({ ruleId: 'two', ruleName: 'Two', count: 9 })];
  test.engine.behave = async () => output({ findings });
  const id = await analyzeLog(test.ports, actor, { is_private });
  const { findings: rows } = await test.ports.findings.page(id, { severity: null, page: 1, per: 10 });
  return { id, ids: rows.map((row) => row.id) };
}

it('tells what was decided as the contract says, and how far that has come', async () => {
  const ada = await account('ada');
  const { id, ids } = await reported(visitor);
  const decided = await reviewFindings(test.ports, ada, {
    id,
    finding_ids: [ids[0]!],
    state: 'benign',
    note: 'a backup',
    assignee: ada.userId,
    remember: true,
  });
  expect(operations.reviewFindings.output.parse(decided)).toEqual(decided);
  expect(decided.reviews).toEqual([
    {
      finding_id: ids[0],
      state: 'benign',
      note: 'a backup',
      assignee: { id: ada.userId, name: 'ada' },
      by: { id: ada.userId, name: 'ada' },
      at: expect.any(String),
      remembered: true,
      from_earlier: false,
    },
  ]);
  expect(await listReviews(test.ports, await account('uma', 'user'), { id })).toEqual(decided);
  expect(await getJob(test.ports, ada, { id, dup: '0' })).toMatchObject({ reviewed_rules: 1, distinct_rules: 2 });
  expect(await getJob(test.ports, visitor, { id, dup: '0' })).toMatchObject({ reviewed_rules: 0 });
  const later = await reported(ada);
  expect(await listReviews(test.ports, visitor, { id: later.id })).toMatchObject({
    reviews: [{ state: 'benign', from_earlier: true }],
  });
});

it('assigns to members who see the job, and to nobody else', async () => {
  const [ada, bob, uma, root] = [
    await account('ada'),
    await account('bob'),
    await account('uma', 'user'),
    await account('root', 'admin'),
  ];
  const hidden = await reported(ada, true);
  const open = await reported(ada);
  const names = async (actor: Actor, id: number) =>
    (await listReviewers(test.ports, actor, { id })).reviewers.map(({ name }) => name);
  expect(await names(ada, hidden.id)).toEqual(['ada', 'root']);
  expect(await names(bob, open.id)).toEqual(['ada', 'bob', 'root']);
  const assign = (job: { id: number; ids: number[] }, assignee: string | null) =>
    reviewFindings(test.ports, ada, { id: job.id, finding_ids: job.ids, assignee, remember: false });
  const nobody = '00000000-0000-4000-8000-000000000000';
  for (const [job, to] of [
    [hidden, bob.userId],
    [open, uma.userId],
    [open, nobody],
  ] as const) {
    await expect(assign(job, to)).rejects.toMatchObject({ code: 'bad_request' });
  }
  expect((await assign(hidden, root.userId)).reviews).toMatchObject([{ state: 'new' }, { state: 'new' }]);
  expect((await assign(hidden, null)).reviews[0]).toMatchObject({ assignee: null });
});

it('keeps private jobs to those who see them', async () => {
  const [ada, bob] = [await account('ada'), await account('bob')];
  const { id, ids } = await reported(ada, true);
  const input = { id, finding_ids: ids, state: 'benign', remember: false } as const;
  await expect(reviewFindings(test.ports, bob, input)).rejects.toMatchObject({ code: 'not_found' });
  await expect(listReviews(test.ports, bob, { id })).rejects.toMatchObject({ code: 'not_found' });
  await expect(listReviewers(test.ports, bob, { id })).rejects.toMatchObject({ code: 'not_found' });
  // Findings of a job that is not seen are not there, whichever job they are asked for in.
  const open = await reported(bob);
  expect(await reviewFindings(test.ports, bob, { ...input, id: open.id })).toEqual({ reviews: [] });
  expect(await test.ports.reviews.ofJob(id)).toEqual([]);
});
