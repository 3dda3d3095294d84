import type { NewSubmission, SubmissionMarks } from '@svc/application/ports/job-repository.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { TaskOutcome } from '@svc/application/ports/result-repository.ts';
import { isTerminal, jobStatuses, statesBefore, type Actor, type JobStatus } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { finding, output } from '../testing/fake-engine.ts';

export type JobPorts = Pick<
  Ports,
  'accounts' | 'files' | 'findings' | 'jobs' | 'jobViews' | 'receipts' | 'results' | 'workflows'
>;

const at = new Date('2026-08-01T10:00:00.123Z');
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let serial = 0;

function account(userId: string, role: 'user' | 'member' | 'admin' = 'user'): Actor {
  return { kind: 'account', userId, email: `${userId}@example.org`, role, ip: '192.0.2.2' };
}

function marks(over: Partial<SubmissionMarks> = {}): SubmissionMarks {
  return { receipt: null, upload: null, caseId: null, tags: [], by: null, at, ...over };
}

function outcome(over: Partial<TaskOutcome> = {}): TaskOutcome {
  const { log: logOutput, ...rest } = output();
  return { status: 'completed', durationMs: 7, errorMessage: null, logOutput, ...rest, ...over };
}

/** What the repositories of jobs, files, results and findings do. `make` gives empty ones with workflows. */
export function jobRepositoriesContract(make: () => Promise<JobPorts>): void {
  let ports: JobPorts;
  let workflowId: number;

  beforeEach(async () => {
    ports = await make();
    workflowId = (await ports.workflows.list())[0]?.id ?? 0;
  });

  async function submit(
    over: { file?: object; job?: object; marks?: Partial<SubmissionMarks>; at?: Date } = {},
  ): ReturnType<Ports['jobs']['submit']> {
    serial += 1;
    const unique = serial.toString(16).padStart(32, '0');
    const submission: NewSubmission = {
      file: {
        originalName: 'Security.evtx',
        storageKey: `${unique}.evtx`,
        sha256: unique + unique,
        sizeBytes: 5_000_000_000,
        detectedType: 'evtx',
        uploaderIp: '192.0.2.1',
        ...over.file,
      },
      job: {
        workflowId,
        submittedBy: null,
        submitterIp: '192.0.2.1',
        submittedName: 'Security.evtx',
        logType: 'evtx',
        isPrivate: false,
        ...over.job,
      },
      reuse: null,
      marks: marks({ at: over.at ?? at, ...over.marks }),
    };
    return ports.jobs.submit(submission);
  }

  async function inStatus(status: JobStatus): Promise<number> {
    const { job } = await submit();
    if (status !== 'pending') await ports.jobs.claim(job.id, 'claim', at);
    if (isTerminal(status)) await ports.jobs.changeStatus(job.id, { from: 'running', to: status, at });
    return job.id;
  }

  async function running(claim = 'claim'): Promise<number> {
    const { job } = await submit();
    expect(await ports.jobs.claim(job.id, claim, at)).toBe(true);
    return job.id;
  }

  async function begin(id: number, engines = ['sigma-native']): Promise<readonly number[]> {
    const tasks = engines.map((engine) => ({
      engine,
      status: 'pending' as const,
      errorMessage: null,
      bytesTotal: 100,
    }));
    const ids = await ports.results.beginTasks({ id, claim: 'claim' }, tasks, at);
    for (const task of ids ?? []) await ports.results.startTask(task, at);
    return ids ?? [];
  }

  async function userNamed(email: string): Promise<string> {
    return (await ports.accounts.create({ email, passwordHash: 'x', role: 'user', displayName: null })).id;
  }

  describe('submissions', () => {
    it('commit file and job as they were given', async () => {
      const { job, file } = await submit();
      expect(file).toMatchObject({ sizeBytes: 5_000_000_000, detectedType: 'evtx', uploadedAt: at });
      expect(job).toMatchObject({
        fileId: file.id,
        status: 'pending',
        createdAt: at,
        totalFindings: 0,
        scoreRatio: '0/0',
      });
      expect(await ports.jobs.get(job.id)).toEqual({ job, file });
      expect(await ports.files.findBySha256(file.sha256)).toEqual(file);
    });

    it('commit a receipt with the job, or neither', async () => {
      const userId = await userNamed('ada@example.org');
      const receipt = { userId, key: 'k/1', fingerprint: 'f'.repeat(64) };
      const { job } = await submit({ marks: { receipt } });
      const found = { ...receipt, jobId: job.id, caseId: null, reused: false };
      expect(await ports.receipts.find(userId, 'job', 'k/1')).toEqual(found);
      expect(await ports.receipts.find(userId, 'case', 'k/1')).toBeNull();
      const sha256 = 'cd'.repeat(32);
      await expect(submit({ marks: { receipt }, file: { sha256 } })).rejects.toMatchObject({ code: 'conflict' });
      expect(await ports.files.findBySha256(sha256)).toBeNull();
      await expect(ports.jobs.mark(job.id, marks({ receipt }))).rejects.toMatchObject({ code: 'conflict' });
      expect(await ports.receipts.find(await userNamed('eve@example.org'), 'job', 'k/1')).toBeNull();
    });

    it('find an account’s last job on a file, and whether one is public', async () => {
      const userId = await userNamed('ada@example.org');
      const file = { sha256: 'ef'.repeat(32) };
      const first = await submit({ file, job: { submittedBy: userId, isPrivate: true } });
      expect(await ports.jobs.hasPublic(first.file.id)).toBe(false);
      const last = await submit({ file, job: { submittedBy: userId, isPrivate: true } });
      await submit({ file });
      expect((await ports.jobs.newestOf(userId, first.file.id))?.job.id).toBe(last.job.id);
      expect(await ports.jobs.newestOf(await userNamed('eve@example.org'), first.file.id)).toBeNull();
      expect(await ports.jobs.hasPublic(first.file.id)).toBe(true);
      expect(await ports.files.get(first.file.id)).toEqual(first.file);
    });

    it('keep the first file of the same bytes and refresh its type', async () => {
      const first = await submit({ file: { sha256: 'ab'.repeat(32) } });
      const second = await submit({ file: { sha256: 'ab'.repeat(32), detectedType: 'syslog', originalName: 'b.log' } });
      expect(second.file).toEqual({ ...first.file, detectedType: 'syslog' });
      expect(second.job.id).not.toBe(first.job.id);
    });

    it('leave nothing when one half fails', async () => {
      const sha256 = 'cd'.repeat(32);
      await expect(submit({ file: { sha256 }, job: { workflowId: 999_999 } })).rejects.toThrow(
        'violates foreign key constraint',
      );
      expect(await ports.files.findBySha256(sha256)).toBeNull();
    });
  });

  describe('statuses', () => {
    const moves = jobStatuses.flatMap((from) => jobStatuses.map((to): [JobStatus, JobStatus] => [from, to]));
    const allowed = moves.filter(([from, to]) => statesBefore(to).includes(from));

    it.each(allowed)('%s to %s', async (from, to) => {
      const id = await inStatus(from);
      expect(await ports.jobs.changeStatus(id, { from, to, at })).toBe(true);
      expect((await ports.jobs.get(id))?.job.status).toBe(to);
    });

    it.each(moves.filter((move) => !allowed.includes(move)))('never %s to %s', async (from, to) => {
      const id = await inStatus(from);
      await expect(ports.jobs.changeStatus(id, { from, to, at })).rejects.toThrow(`from ${from} to ${to}`);
      expect((await ports.jobs.get(id))?.job.status).toBe(from);
    });

    it.each(jobStatuses.filter(isTerminal))('%s stays, whatever a late writer expects', async (status) => {
      const id = await inStatus(status);
      expect(await ports.jobs.changeStatus(id, { from: 'running', to: 'failed', at })).toBe(false);
      expect(await ports.jobs.changeStatus(id, { from: 'pending', to: 'cancelled', at })).toBe(false);
      expect(await ports.jobs.claim(id, 'late', at)).toBe(false);
      expect(await ports.jobs.requestCancel(id, at)).toBe(false);
      expect((await ports.jobs.get(id))?.job.status).toBe(status);
    });

    it('keep the reason and the times', async () => {
      const id = await running();
      const error = { code: 'tasks_failed', message: 'sigma-native: no memory' } as const;
      const later = new Date(at.getTime() + 5000);
      await ports.jobs.changeStatus(id, { from: 'running', to: 'failed', at: later, error });
      expect((await ports.jobs.get(id))?.job).toMatchObject({
        errorCode: 'tasks_failed',
        errorMessage: 'sigma-native: no memory',
        startedAt: at,
        finishedAt: later,
      });
    });

    it('keep the first cancel mark', async () => {
      const { job } = await submit();
      expect(await ports.jobs.requestCancel(job.id, at)).toBe(true);
      expect(await ports.jobs.requestCancel(job.id, new Date())).toBe(true);
      expect((await ports.jobs.get(job.id))?.job.cancelRequestedAt).toEqual(at);
    });

    it('are closed to a worker whose job was taken over', async () => {
      const id = await running('claim');
      const [task = 0] = await begin(id);
      await ports.jobs.claim(id, 'second', at);
      const tasks = [{ engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 }] as const;
      expect(await ports.results.beginTasks({ id, claim: 'second' }, tasks, at)).toHaveLength(1);
      expect(await ports.results.finishTask(task, outcome(), at)).toBe(false);
      expect(await ports.results.beginTasks({ id, claim: 'claim' }, tasks, at)).toBeNull();
      expect(await ports.jobs.changeStatus(id, { from: 'running', to: 'completed', at, claim: 'claim' })).toBe(false);
      expect(await ports.jobs.changeStatus(id, { from: 'running', to: 'completed', at, claim: 'second' })).toBe(true);
      expect(await ports.findings.withEvents(id)).toEqual([]);
    });
  });

  describe('results', () => {
    it('replace what an earlier attempt left', async () => {
      const id = await running();
      const [first = 0] = await begin(id);
      await ports.results.finishTask(first, outcome({ findings: [finding(), finding({ ruleId: 'b' })] }), at);
      const [second = 0] = await begin(id);
      await ports.results.finishTask(second, outcome(), at);
      await ports.jobs.changeStatus(id, { from: 'running', to: 'completed', at, claim: 'claim' });
      expect(await ports.findings.withEvents(id)).toHaveLength(1);
      expect(await ports.jobViews.tasks(id)).toHaveLength(1);
      expect((await ports.jobs.get(id))?.job).toMatchObject({ totalFindings: 1, distinctRules: 1, scoreRatio: '1/1' });
    });

    it('add up over tasks when the job ends, however it ends', async () => {
      const id = await running();
      const [one = 0, two = 0, three = 0] = await begin(id, ['a', 'b', 'c']);
      const severe = finding({ ruleId: 'r2', severity: 'critical', count: 5, firstSeen: null, lastSeen: null });
      const early = finding({ firstSeen: '2026-07-31T00:00:00Z', lastSeen: '2026-08-01T10:15:00.7500001Z', count: 3 });
      await ports.results.finishTask(one, outcome({ findings: [early, severe] }), at);
      await ports.results.finishTask(two, outcome({ findings: [finding({ count: 2 })] }), at);
      const error = { code: 'worker_lost_startup', message: 'lost' } as const;
      await ports.jobs.changeStatus(id, { from: 'running', to: 'failed', at, error });
      expect((await ports.jobs.get(id))?.job).toMatchObject({
        totalFindings: 10,
        distinctRules: 2,
        severitySummary: { critical: 5, high: 5, medium: 0, low: 0, informational: 0 },
        scoreRatio: '2/3',
      });
      const view = await ports.jobViews.get(visitor, id);
      expect(view).toMatchObject({ firstEventAt: '2026-07-31T00:00:00Z', lastEventAt: '2026-08-01T10:15:00.7500001Z' });
      expect((await ports.jobViews.tasks(id)).at(2)).toMatchObject({
        id: three,
        status: 'failed',
        errorMessage: 'lost',
      });
    });

    it('leave skipped and cancelled tasks out of the ratio', async () => {
      const id = await running();
      const skipped = { engine: 'b', status: 'skipped', errorMessage: 'not supported', bytesTotal: 9 } as const;
      const pending = { engine: 'a', status: 'pending', errorMessage: null, bytesTotal: 9 } as const;
      const [one = 0, , three = 0] =
        (await ports.results.beginTasks({ id, claim: 'claim' }, [pending, skipped, pending], at)) ?? [];
      await ports.results.startTask(one, at);
      await ports.results.finishTask(one, outcome({ findings: [] }), at);
      await ports.jobs.changeStatus(id, { from: 'running', to: 'cancelled', at });
      expect((await ports.jobs.get(id))?.job.scoreRatio).toBe('0/1');
      const tasks = await ports.jobViews.tasks(id);
      expect(tasks.map(({ status }) => status)).toEqual(['completed', 'skipped', 'cancelled']);
      expect(tasks.at(1)).toMatchObject({ errorMessage: 'not supported', bytesTotal: null });
      expect(tasks.at(2)?.id).toBe(three);
    });

    it('show progress while a task runs, and not after', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      await ports.results.saveProgress(task, 40);
      expect((await ports.jobViews.tasks(id))[0]).toMatchObject({ status: 'running', bytesDone: 40, bytesTotal: 100 });
      await ports.results.finishTask(task, outcome({ events: 12, warnings: ['a damaged chunk'] }), at);
      await ports.results.saveProgress(task, 50);
      expect((await ports.jobViews.tasks(id))[0]).toMatchObject({
        status: 'completed',
        bytesDone: 40,
        findingsCount: 1,
        durationMs: 7,
        events: 12,
        warnings: ['a damaged chunk'],
        ruleSet: { name: 'core', loaded: 30 },
      });
    });

    it('take whatever a log contains', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const nasty = 'nul \u0000, half \ud800, whole 😀, quote " \\ \u0007';
      const kept = 'nul \uFFFD, half \uFFFD, whole 😀, quote " \\ \u0007';
      const event = {
        recordId: '18446744073709551615',
        timestamp: null,
        computer: nasty,
        channel: null,
        eventId: null,
      };
      const events = [{ ...event, fields: { [nasty]: [nasty, 1.5, true], big: 9_007_199_254_740_991 } }];
      const odd = finding({
        ruleId: null,
        ruleName: `${nasty}${'x'.repeat(600)}`,
        events,
        tags: [nasty],
        ruleSource: nasty,
      });
      expect(await ports.results.finishTask(task, outcome({ findings: [odd], logOutput: nasty }), at)).toBe(true);
      const [stored] = await ports.findings.withEvents(id);
      expect(stored).toMatchObject({ ruleId: null, tags: [kept] });
      expect(stored?.ruleName.startsWith(kept)).toBe(true);
      expect(stored?.events).toEqual([
        { ...event, computer: kept, fields: { [kept]: [kept, 1.5, true], big: 9_007_199_254_740_991 } },
      ]);
      expect(await ports.findings.ruleSource(stored?.id ?? 0)).toBe(kept);
    });

    it('take many findings at once', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const many = Array.from({ length: 450 }, (_, index) => finding({ ruleId: `rule-${index}`, count: index + 1 }));
      await ports.results.finishTask(task, outcome({ findings: many }), at);
      const page = await ports.findings.page(id, { severity: null, page: 3, per: 200 });
      expect(page).toMatchObject({ page: 3, total: 450 });
      expect(page.findings.map(({ count }) => count)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
      const past = await ports.findings.page(id, { severity: 'high', page: 99, per: 200 });
      expect(past).toMatchObject({ page: 3, total: 450 });
      expect(await ports.findings.page(id, { severity: 'low', page: 1, per: 200 })).toEqual({
        findings: [],
        page: 1,
        total: 0,
      });
    });
  });

  describe('findings', () => {
    it('come worst first, by rank and then by count', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const levels = ['low', 'critical', 'informational', 'high', 'medium', 'high'] as const;
      const findings = levels.map((severity, index) => finding({ ruleId: `${index}`, severity, count: index + 1 }));
      await ports.results.finishTask(task, outcome({ findings }), at);
      const { findings: page } = await ports.findings.page(id, { severity: null, page: 1, per: 200 });
      expect(page.map(({ severity, count }) => `${severity} ${count}`)).toEqual([
        'critical 2',
        'high 6',
        'high 4',
        'medium 5',
        'low 1',
        'informational 3',
      ]);
    });

    it('tell whether events and rule are there, and give them when asked', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const bare = finding({ ruleId: 'bare', severity: 'low', events: [], ruleSource: null });
      await ports.results.finishTask(task, outcome({ findings: [finding(), bare] }), at);
      const [full, empty] = (await ports.findings.page(id, { severity: null, page: 1, per: 200 })).findings;
      expect(full).toMatchObject({ engine: 'sigma-native', jobId: id, hasEvents: true, hasRule: true });
      expect(full).not.toHaveProperty('ruleSource');
      expect(empty).toMatchObject({ hasEvents: false, hasRule: false });
      expect(await ports.findings.events(full?.id ?? 0)).toEqual(finding().events);
      expect(await ports.findings.events(empty?.id ?? 0)).toEqual([]);
      expect(await ports.findings.ruleSource(empty?.id ?? 0)).toBeNull();
    });

    it('are seen only by those who see the job', async () => {
      const owner = await userNamed('owner@example.org');
      const { job } = await submit({ job: { isPrivate: true, submittedBy: owner } });
      await ports.jobs.claim(job.id, 'claim', at);
      const [task = 0] = await begin(job.id);
      await ports.results.finishTask(task, outcome(), at);
      const [one] = await ports.findings.withEvents(job.id);
      const id = one?.id ?? 0;
      expect(await ports.findings.get(visitor, id)).toBeNull();
      expect(await ports.findings.get(account(await userNamed('other@example.org'), 'member'), id)).toBeNull();
      expect(await ports.findings.get(account(owner), id)).toMatchObject({ id });
      expect(await ports.findings.get(account(await userNamed('boss@example.org'), 'admin'), id)).toMatchObject({ id });
    });
  });

  describe('lists', () => {
    it('show the newest first, and the higher id within a moment', async () => {
      const ids: number[] = [];
      for (const seconds of [0, 10, 10, 5]) {
        ids.push((await submit({ at: new Date(at.getTime() + seconds * 1000) })).job.id);
      }
      const page = await ports.jobViews.page(visitor, 1, 20);
      expect(page.jobs.map(({ job }) => job.id)).toEqual([ids[2], ids[1], ids[3], ids[0]]);
      expect(page).toMatchObject({ page: 1, total: 4, hasRunning: true });
    });

    it('count exactly, and show the last page for one past the end', async () => {
      for (let count = 0; count < 21; count += 1) await submit();
      const page = await ports.jobViews.page(visitor, 7, 20);
      expect(page).toMatchObject({ page: 2, total: 21 });
      expect(page.jobs).toHaveLength(1);
    });

    it('hide the private jobs of others in every view', async () => {
      const owner = await userNamed('owner@example.org');
      const other = await userNamed('other@example.org');
      const secret = (await submit({ job: { isPrivate: true, submittedBy: owner } })).job.id;
      const open = (await submit({ job: { submittedBy: other } })).job.id;
      const seen = async (viewer: Actor): Promise<number[][]> => [
        (await ports.jobViews.page(viewer, 1, 20)).jobs.map(({ job }) => job.id),
        (await ports.jobViews.among(viewer, [secret, open])).map(({ id }) => id).sort((a, b) => b - a),
        (await ports.jobViews.get(viewer, secret)) ? [secret] : [],
      ];
      const both = [open, secret];
      for (const viewer of [account(owner), account(other, 'admin')]) {
        expect(await seen(viewer)).toEqual([both, both, [secret]]);
      }
      for (const viewer of [visitor, account(other), account(other, 'member')]) {
        expect(await seen(viewer)).toEqual([[open], [open], []]);
      }
      const page = await ports.jobViews.page(visitor, 1, 20);
      expect(page.total).toBe(1);
    });

    it('say whether something visible runs, and who submitted', async () => {
      const owner = await userNamed('owner@example.org');
      const { job } = await submit({ job: { isPrivate: true, submittedBy: owner } });
      expect((await ports.jobViews.page(visitor, 1, 20)).hasRunning).toBe(false);
      expect((await ports.jobViews.page(account(owner), 1, 20)).hasRunning).toBe(true);
      expect(await ports.jobViews.get(account(owner), job.id)).toMatchObject({ submitter: 'owner@example.org' });
      await ports.jobs.changeStatus(job.id, { from: 'pending', to: 'cancelled', at });
      expect((await ports.jobViews.page(account(owner), 1, 20)).hasRunning).toBe(false);
      expect(await ports.jobViews.live()).toEqual([]);
    });
  });
}
