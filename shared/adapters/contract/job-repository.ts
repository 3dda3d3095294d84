import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import { markJob } from '@svc/application/submissions/record-submission.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { isTerminal, jobStatuses, statesBefore, type Actor, type JobStatus } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { account, at, marks, outcome, jobFixture, visitor, type JobPorts } from './job-fixture.ts';

/** What the repositories of jobs and files do; `make` gives empty ones with workflows. */
export function jobRepositoryContract(make: () => Promise<JobPorts>): void {
  describe('jobs', () => {
    let ports: JobPorts;
    const { submit, inStatus, running, begin, userNamed } = jobFixture(async () => (ports = await make()));

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
        await expect(markJob(ports, job.id, marks({ receipt }))).rejects.toMatchObject({ code: 'conflict' });
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

      it('tell of a file what its jobs tell that the viewer may see', async () => {
        const userId = await userNamed('ada@example.org');
        const sha256 = `cafe${'0'.repeat(60)}`;
        const { file } = await submit({ file: { sha256 }, job: { submittedBy: userId, isPrivate: true } });
        const tell = async (viewer: Actor) => [
          await ports.files.findSeen(viewer, 'cafe'),
          await ports.files.firstSeen(viewer, file.id),
        ];
        expect(await tell(visitor)).toEqual([null, null]);
        expect(await tell(account(userId))).toEqual([file, at]);
        const later = new Date(at.getTime() + 60_000);
        await submit({ file: { sha256 }, at: later });
        expect(await tell(visitor)).toEqual([file, later]);
        expect(await tell(account(userId))).toEqual([file, at]);
        expect(await ports.files.findSeen(visitor, 'cafe1')).toBeNull();
      });

      it('keep the first file of the same bytes and refresh its type', async () => {
        const first = await submit({ file: { sha256: 'ab'.repeat(32) } });
        const second = await submit({
          file: { sha256: 'ab'.repeat(32), detectedType: 'syslog', originalName: 'b.log' },
        });
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
        expect(await moveJob(ports, id, { from, to, at })).toBe(true);
        expect((await ports.jobs.get(id))?.job.status).toBe(to);
      });

      it.each(moves.filter((move) => !allowed.includes(move)))('never %s to %s', async (from, to) => {
        const id = await inStatus(from);
        await expect(moveJob(ports, id, { from, to, at })).rejects.toThrow(`from ${from} to ${to}`);
        expect((await ports.jobs.get(id))?.job.status).toBe(from);
      });

      it.each(jobStatuses.filter(isTerminal))('%s stays, whatever a late writer expects', async (status) => {
        const id = await inStatus(status);
        expect(await moveJob(ports, id, { from: 'running', to: 'failed', at })).toBe(false);
        expect(await moveJob(ports, id, { from: 'pending', to: 'cancelled', at })).toBe(false);
        expect(await ports.jobs.claim(id, 'late', at)).toBe(false);
        expect(await ports.jobs.requestCancel(id, at)).toBe(false);
        expect((await ports.jobs.get(id))?.job.status).toBe(status);
      });

      it('keep the reason and the times', async () => {
        const id = await running();
        const error = { code: 'tasks_failed', message: 'sigma-native: no memory' } as const;
        const later = new Date(at.getTime() + 5000);
        await moveJob(ports, id, { from: 'running', to: 'failed', at: later, error });
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

      it('say why they were begun again, by the first reason there was', async () => {
        const reasonOf = async (id: number) => (await ports.jobs.get(id))?.job.rerunReason;
        const [lost, slow] = [await running('claim'), await running('claim')];
        expect(await reasonOf(lost)).toBeNull();
        await ports.jobs.claim(lost, 'second', at);
        expect(await reasonOf(lost)).toBe('interrupted');
        await ports.jobs.noteRerun(slow, 'out_of_time');
        await ports.jobs.claim(slow, 'second', at);
        expect(await reasonOf(slow)).toBe('out_of_time');
      });

      it('say nothing more once they have ended', async () => {
        const id = await running('claim');
        await moveJob(ports, id, { from: 'running', to: 'completed', at });
        await ports.jobs.noteRerun(id, 'out_of_time');
        expect((await ports.jobs.get(id))?.job.rerunReason).toBeNull();
      });

      it('are closed to a worker whose job was taken over', async () => {
        const id = await running('claim');
        const [task = 0] = await begin(id);
        await ports.jobs.claim(id, 'second', at);
        const tasks = [{ engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 }] as const;
        expect(await beginTasks(ports, { id, claim: 'second' }, tasks, at)).toHaveLength(1);
        expect(await ports.results.finishTask(task, outcome(), at)).toBe(false);
        expect(await beginTasks(ports, { id, claim: 'claim' }, tasks, at)).toBeNull();
        expect(await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'claim' })).toBe(false);
        expect(await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'second' })).toBe(true);
        expect(await ports.findings.withEvents(id)).toEqual([]);
      });
    });
  });
}
