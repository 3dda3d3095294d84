import { makeCase } from '@svc/application/cases/create-case.ts';
import { giveTags } from '@svc/application/tags/give-tags.ts';
import { takeTags } from '@svc/application/tags/take-tags.ts';
import {
  type NewSubmission,
  type SubmissionMarks,
  markJob,
  recordSubmission,
} from '@svc/application/submissions/record-submission.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor, Role } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';

type GroupingPorts = Pick<
  Ports,
  'accounts' | 'cases' | 'jobs' | 'jobViews' | 'receipts' | 'tags' | 'transaction' | 'workflows'
>;

const at = new Date('2026-08-01T10:00:00.123Z');
const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

function as(userId: string, role: Role = 'member'): Actor {
  return { kind: 'account', userId, email: userId, role, ip: '192.0.2.2' };
}

/** What the repositories of cases and tags do. `make` gives empty ones with workflows. */
export function caseAndTagRepositoriesContract(make: () => Promise<GroupingPorts>): void {
  describe('cases and tags', () => {
    let ports: GroupingPorts;
    let ada: string;
    let eve: string;
    let serial = 0;
    beforeEach(async () => {
      ports = await make();
      ada = await account('ada');
      eve = await account('eve');
    });

    async function account(name: string): Promise<string> {
      const email = `${name}@example.org`;
      return (await ports.accounts.create({ email, passwordHash: 'x', role: 'member', displayName: null })).id;
    }

    async function caseOf(
      ownerId: string,
      name: string,
      over: { isShared?: boolean; at?: Date } = {},
    ): Promise<number> {
      return (await ports.cases.create({ name, ownerId, isShared: false, at, ...over })).id;
    }

    async function submit(marks: Partial<SubmissionMarks>, job: Partial<NewSubmission['job']> = {}): Promise<number> {
      serial += 1;
      const sha256 = serial.toString(16).padStart(64, '0');
      const workflowId = (await ports.workflows.list())[0]?.id ?? 0;
      const named = { submittedName: 'a.evtx', logType: 'evtx', isPrivate: false } as const;
      const { job: made } = await recordSubmission(ports, {
        file: {
          originalName: 'a.evtx',
          storageKey: `${sha256}.evtx`,
          sha256,
          sizeBytes: 1,
          detectedType: 'evtx',
          uploaderIp: '',
        },
        job: { workflowId, submittedBy: ada, submitterIp: '', ...named, ...job },
        reuse: null,
        marks: { receipt: null, upload: null, caseId: null, tags: [], by: ada, at, ...marks },
      });
      return made.id;
    }

    const marksOf = async (viewer: Actor, job: number): Promise<unknown> => {
      const view = await ports.jobViews.get(viewer, job);
      return view && { tags: view.tags.map(({ name }) => name), cases: view.cases.map(({ name }) => name) };
    };

    const tagging = (jobIds: number[]) => ({ jobIds, by: ada, at });
    const found = async (viewer: Actor, text: string, limit = 10): Promise<string[]> =>
      (await ports.tags.find(viewer, { text, limit })).map(({ name, jobs }) => `${name} ${jobs}`);

    describe('cases', () => {
      it('are listed to those who may see them, newest updated first', async () => {
        const [mine, shared] = [
          await caseOf(ada, 'mine'),
          await caseOf(eve, 'shared', { isShared: true, at: later(1) }),
        ];
        const hidden = await caseOf(eve, 'hidden', { at: later(2) });
        const listed = async (viewer: Actor, limit = 10): Promise<number[]> =>
          (await ports.cases.list(viewer, { statuses: ['open', 'monitoring'], limit })).map(({ id }) => id);
        expect(await listed(as(ada))).toEqual([shared, mine]);
        expect(await listed(as(eve))).toEqual([hidden, shared]);
        expect(await listed(as(ada, 'admin'))).toEqual([hidden, shared, mine]);
        expect(await listed(as(ada), 1)).toEqual([shared]);
        expect([await listed(as(ada, 'user')), await listed(visitor)]).toEqual([[], []]);
        expect(await ports.cases.list(as(ada), { statuses: ['closed'], limit: 10 })).toEqual([]);
        expect(await ports.cases.get(mine)).toMatchObject({
          name: 'mine',
          ownerId: ada,
          status: 'open',
          createdAt: at,
        });
        expect(await ports.cases.get(hidden + 1)).toBeNull();
      });

      it('are committed with their receipt, or neither', async () => {
        const receipt = { userId: ada, key: 'k/1', fingerprint: 'f'.repeat(64) };
        const wanted = { name: 'one', ownerId: ada, isShared: false, receipt, at };
        const id = await makeCase(ports, wanted);
        const kept = { ...receipt, jobId: null, caseId: id, reused: false };
        expect(await ports.receipts.find(ada, 'case', 'k/1')).toEqual(kept);
        expect(await ports.receipts.find(ada, 'job', 'k/1')).toBeNull();
        await expect(makeCase(ports, wanted)).rejects.toMatchObject({ code: 'conflict' });
        expect(await ports.cases.list(as(ada), { statuses: ['open'], limit: 10 })).toHaveLength(1);
      });

      it('hold jobs from their submission on, which moves them up', async () => {
        const [first, second] = [await caseOf(ada, 'first'), await caseOf(ada, 'second', { at: later(1) })];
        const receipt = { userId: ada, key: 'k', fingerprint: 'f'.repeat(64) };
        const job = await submit({ caseId: first, receipt, at: later(5) });
        expect((await ports.cases.get(first))?.updatedAt).toEqual(later(5));
        expect(await ports.receipts.find(ada, 'job', 'k')).toMatchObject({ jobId: job, caseId: first });
        const marks = { receipt: null, upload: null, tags: [], by: ada, at: later(6) };
        await markJob(ports, job, { ...marks, caseId: second });
        await markJob(ports, job, { ...marks, caseId: first, at: later(7) });
        expect((await ports.cases.get(first))?.updatedAt).toEqual(later(5));
        expect(await marksOf(as(ada), job)).toEqual({ tags: [], cases: ['second', 'first'] });
      });

      it('are shown beside a job only to those who see them', async () => {
        const job = await submit({ caseId: await caseOf(ada, 'secret') });
        expect(await marksOf(as(eve), job)).toEqual({ tags: [], cases: [] });
        expect(await marksOf(as(ada, 'user'), job)).toEqual({ tags: [], cases: [] });
        expect(await marksOf(visitor, job)).toEqual({ tags: [], cases: [] });
        expect(await marksOf(as(eve, 'admin'), job)).toEqual({ tags: [], cases: ['secret'] });
      });

      it('take any name, and outlive their owner', async () => {
        const id = await caseOf(eve, 'a\u0000b\ud800');
        await ports.accounts.delete(eve);
        expect(await ports.cases.get(id)).toMatchObject({ name: 'a\uFFFDb\uFFFD', ownerId: null });
      });
    });

    describe('tags', () => {
      it('come with a submission, new ones in gray', async () => {
        const job = await submit({ tags: ['phishing', 'apt/29'] });
        expect(await ports.tags.ofJob(job)).toEqual([
          { name: 'apt/29', color: 'gray' },
          { name: 'phishing', color: 'gray' },
        ]);
        await markJob(ports, job, {
          receipt: null,
          upload: null,
          caseId: null,
          tags: ['phishing', 'again'],
          by: ada,
          at,
        });
        expect(await marksOf(as(eve), job)).toEqual({ tags: ['again', 'apt/29', 'phishing'], cases: [] });
        expect(await marksOf(as(ada, 'user'), job)).toEqual({ tags: [], cases: [] });
      });

      it('have one colour everywhere, which only another one changes', async () => {
        const [one, two] = [await submit({ tags: ['x'] }), await submit({})];
        const added = await giveTags(ports, [{ name: 'x', color: 'red' }], tagging([one, two]));
        expect(added).toEqual([{ id: expect.any(Number), jobId: two, name: 'x' }]);
        expect(await ports.tags.ofJob(one)).toEqual([{ name: 'x', color: 'red' }]);
        expect(await giveTags(ports, [{ name: 'x', color: null }], tagging([two]))).toEqual([]);
        expect(await ports.tags.ofJob(two)).toEqual([{ name: 'x', color: 'red' }]);
      });

      it('are given to the jobs that are there', async () => {
        const job = await submit({});
        expect(await giveTags(ports, [{ name: 'x', color: null }], tagging([job + 1000, job, job]))).toHaveLength(1);
        expect(await ports.tags.ofJob(job)).toEqual([{ name: 'x', color: 'gray' }]);
      });

      it('are taken off jobs, and stay in the vocabulary', async () => {
        const jobs = [await submit({ tags: ['x', 'y'] }), await submit({ tags: ['x'] })];
        expect(await takeTags(ports, ['x', 'none'], tagging(jobs))).toEqual(
          jobs.map((jobId) => ({ jobId, name: 'x' })),
        );
        expect(await ports.tags.ofJob(jobs[0] ?? 0)).toEqual([{ name: 'y', color: 'gray' }]);
        expect(await found(as(ada), 'x')).toEqual(['x 0']);
      });

      it('are found by a part of their name, counted over visible jobs', async () => {
        await submit({ tags: ['needs_triage', 'triage'] }, { isPrivate: true });
        await submit({ tags: ['triage', '100%'] });
        expect(await found(as(ada), 'triage')).toEqual(['triage 2', 'needs_triage 1']);
        expect(await found(as(eve), 'triage')).toEqual(['triage 1', 'needs_triage 0']);
        expect(await found(as(ada), '%')).toEqual(['100% 1']);
        expect(await found(as(ada), '', 2)).toEqual(['triage 2', '100% 1']);
      });

      it('of many submissions at once do not lock each other up', async () => {
        const names = ['a', 'b', 'c', 'd'];
        const jobs = await Promise.all(
          Array.from({ length: 6 }, (_, turn) => submit({ tags: turn % 2 === 0 ? names : names.toReversed() })),
        );
        for (const job of jobs) expect((await ports.tags.ofJob(job)).map(({ name }) => name)).toEqual(names);
      });
    });
  });
}
