import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { createFirstAdmin } from '@svc/application/auth/create-first-admin.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewTask, TaskOutcome } from '@svc/application/report/result-repository.ts';
import { spoolUpload, type SpooledFile } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import type { Account, Actor, AppError } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentOf } from '../testing/content.ts';
import { finding, output } from '../testing/fake-engine.ts';
import { plainSubmission } from '../testing/submit-log.ts';

const rounds = 8;
const at = new Date('2026-08-01T10:00:00Z');
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const task: NewTask = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 };

function outcome(ruleId: string): TaskOutcome {
  const {
    log: logOutput,
    raw: _raw,
    ...rest
  } = output({ findings: [finding({ ruleId }), finding({ ruleId: `${ruleId}-2` })] });
  return {
    status: 'completed',
    durationMs: 7,
    errorMessage: null,
    logOutput,
    rawOutputs: [],
    eventPack: null,
    ...rest,
  };
}

function admin({ accounts }: Ports, name: string): Promise<Account> {
  return accounts.create({ email: `${name}@example.org`, passwordHash: '', role: 'admin', displayName: null });
}

/**
 * What processes that share their data do at the same time, and must not break. `make` gives the ports of
 * two of them, without accounts and jobs.
 */
export function severalProcessesContract(make: () => Promise<readonly [Ports, Ports]>): void {
  describe('several processes at once', () => {
    let one: Ports;
    let two: Ports;
    let workflowId: number;
    let ada: Actor;
    beforeEach(async () => {
      [one, two] = await make();
      workflowId = (await one.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
      const account = { email: 'ada@example.org', passwordHash: '', role: 'user', displayName: null } as const;
      const { id: userId, email } = await one.accounts.create(account);
      ada = { kind: 'account', userId, email, role: 'user', ip: '192.0.2.2' };
    });

    const spooled = (text = 'ElfFile\0 and so on'): Promise<SpooledFile> =>
      spoolUpload(one, { fileName: 'Security.evtx', content: contentOf(text) });
    /** Submits each file, from the two processes in turn. */
    async function submissions(files: SpooledFile[], actor: Actor, options: object = {}) {
      const sent = { ...plainSubmission, force_resubmit: false, workflow_id: workflowId, ...options };
      return Promise.allSettled(
        files.map((file, index) => uploadFile(index % 2 === 0 ? one : two, actor, { ...sent, file })),
      );
    }
    const ten = (): Promise<SpooledFile[]> => Promise.all(Array.from({ length: 10 }, () => spooled()));
    async function answersOf(ends: Awaited<ReturnType<typeof submissions>>) {
      return ends.map((end) => {
        if (end.status === 'rejected') throw end.reason;
        return end.value;
      });
    }
    async function stored(files: readonly SpooledFile[]): Promise<number> {
      const there = await Promise.all(files.map(({ key }) => one.objects.exists(key)));
      return there.filter(Boolean).length;
    }
    async function queued(): Promise<number[]> {
      const jobs: number[] = [];
      for (;;) {
        const lease = await two.tasks.receive({ worker: 'w', waitMs: 0 });
        if (!lease) return jobs;
        if (lease.task.kind === 'run_analysis') jobs.push(lease.task.jobId);
      }
    }

    it('make one job of the same bytes, whoever brings them first', async () => {
      const files = await ten();
      const answers = await answersOf(await submissions(files, visitor));
      expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
      expect(answers.filter(({ reused }) => !reused)).toHaveLength(1);
      expect(await stored(files)).toBe(1);
      expect(await queued()).toEqual([answers[0]?.job_id]);
    });

    it('store the same bytes once, where each wants a job of its own', async () => {
      const files = await ten();
      const answers = await answersOf(await submissions(files, visitor, { force_resubmit: true }));
      const ids = answers.map(({ job_id }) => job_id).sort((a, b) => a - b);
      expect(new Set(ids).size).toBe(10);
      const records = await Promise.all(ids.map((id) => one.jobs.get(id)));
      expect(new Set(records.map((record) => record?.file.id)).size).toBe(1);
      expect(await stored(files)).toBe(1);
      expect((await queued()).sort((a, b) => a - b)).toEqual(ids);
    });

    it('make one job of one idempotency key, and answer all with it', async () => {
      const files = await ten();
      const keyed = { idempotency_key: 'k/1', force_resubmit: true };
      const answers = await answersOf(await submissions(files, ada, keyed));
      expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(await stored(files)).toBe(1);
      expect(await queued()).toEqual([answers[0]?.job_id]);
    });

    it('refuse all but one use of a key for different files', async () => {
      const files = await Promise.all(Array.from({ length: 10 }, (_, index) => spooled(`ElfFile\0 ${index}`)));
      const ends = await submissions(files, ada, { idempotency_key: 'k/2' });
      const codes = ends.map((end) => (end.status === 'rejected' ? (end.reason as AppError).code : 'accepted'));
      expect(codes.sort()).toEqual(['accepted', ...Array.from({ length: 9 }, () => 'key_reused')]);
      expect(await stored(files)).toBe(1);
      expect(await queued()).toHaveLength(1);
    });

    it('cancel a job or begin it, never both', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const [{ job_id: id } = { job_id: 0 }] = await answersOf(
          await submissions([await spooled()], visitor, { force_resubmit: true }),
        );
        const error = { code: 'cancelled_by_user', message: 'cancelled' } as const;
        const [claimed, cancelled] = await Promise.all([
          one.jobs.claim(id, 'claim', at),
          moveJob(two, id, { from: 'pending', to: 'cancelled', at, error }),
        ]);
        expect([claimed, cancelled].filter(Boolean)).toHaveLength(1);
        expect((await one.jobs.get(id))?.job.status).toBe(claimed ? 'running' : 'cancelled');
      }
    });

    it('leave the results of the worker that took a job over, and of no other', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const [{ job_id: id } = { job_id: 0 }] = await answersOf(
          await submissions([await spooled()], visitor, { force_resubmit: true }),
        );
        await one.jobs.claim(id, 'first', at);
        const [early = 0] = (await beginTasks(one, { id, claim: 'first' }, [task], at)) ?? [];
        await one.results.startTask(early, at);
        await two.jobs.claim(id, 'second', at);
        const [, begun] = await Promise.all([
          one.results.finishTask(early, outcome('early'), at),
          beginTasks(two, { id, claim: 'second' }, [task], at),
        ]);
        const [late = 0] = begun ?? [];
        await two.results.startTask(late, at);
        const ended = { from: 'running', to: 'completed', at } as const;
        const [, first, second] = await Promise.all([
          two.results.finishTask(late, outcome('late'), at),
          moveJob(one, id, { ...ended, claim: 'first' }),
          beginTasks(one, { id, claim: 'first' }, [task], at),
        ]);
        expect([first, second]).toEqual([false, null]);
        expect(await moveJob(two, id, { ...ended, claim: 'second' })).toBe(true);
        const rules = (await one.findings.withEvents(id)).map(({ ruleId }) => ruleId);
        expect(new Set(rules)).toEqual(new Set(['late', 'late-2']));
        expect(rules).toHaveLength(2);
        expect((await one.jobs.get(id))?.job).toMatchObject({ totalFindings: 2, distinctRules: 2, scoreRatio: '1/1' });
      }
    });

    it('keep one of two administrators that demote each other', async () => {
      let last = await admin(one, 'admin');
      for (let round = 0; round < rounds; round += 1) {
        const other = await admin(one, `admin${round}`);
        const ends = await Promise.allSettled([
          one.accounts.update(last.id, { role: 'user' }),
          two.accounts.update(other.id, { isActive: false }),
        ]);
        const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as AppError] : []));
        expect(refused.map(({ code }) => code)).toEqual(['last_admin']);
        last = ends[0].status === 'rejected' ? last : other;
      }
    });

    it('create one first administrator', async () => {
      const firstAdmin = { email: 'root@example.org', password: 'a long enough passphrase' };
      const [a, b] = [one, two].map((ports) => ({ ...ports, deployment: { ...ports.deployment, firstAdmin } }));
      expect(await Promise.all([createFirstAdmin(a!), createFirstAdmin(b!)])).toEqual([null, null]);
      expect((await one.accounts.list()).filter(({ role }) => role === 'admin')).toHaveLength(1);
    });

    it('add the shipped workflows once', async () => {
      const seeds = ['a', 'b', 'c'].map((name) => ({
        name: `Own ${name}`,
        description: '',
        logTypes: [],
        isDefault: true,
        definition: 'tasks: []',
      }));
      await Promise.all([one, two, one, two].map(({ workflows }) => workflows.seed(seeds)));
      const names = (await one.workflows.list()).map(({ name }) => name).filter((name) => name.startsWith('Own'));
      expect(names).toEqual(['Own a', 'Own b', 'Own c']);
    });
  });
}
