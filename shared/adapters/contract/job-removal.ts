import { giveTags } from '@svc/application/tags/give-tags.ts';
import { takeTags } from '@svc/application/tags/take-tags.ts';
import { dropOutputs } from '@svc/application/work/remove-by-age.ts';
import { removeJob } from '@svc/application/jobs/remove-job.ts';
import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { recordSubmission, type NewSubmission } from '@svc/application/submissions/record-submission.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewRawOutput } from '@svc/application/report/result-repository.ts';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../testing/content.ts';
import { derived } from '../testing/fake-derived.ts';
import { plainSubmission } from '../testing/submit-log.ts';
import { account, at, jobFixture, outcome, visitor } from './job-fixture.ts';

const rounds = 8;
const admin = account('admin', 'admin');
const ended = { from: 'running', to: 'completed', at } as const;
const task = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 } as const;

const days = (count: number): Date => new Date(at.getTime() + count * 86_400_000);

function rawOutput(name: string): NewRawOutput {
  return {
    name: `${name}.jsonl.gz`,
    storageKey: `outputs/${name}`,
    sizeBytes: 5_000_000_000,
    isComplete: name !== 'b',
  };
}

/** What becomes of a job that is removed. `make` gives the ports of two processes, without accounts and jobs. */
export function jobRemovalContract(make: () => Promise<readonly [Ports, Ports]>): void {
  describe('the removal of a job', () => {
    let ports: Ports;
    let other: Ports;
    const fixture = jobFixture(async () => ([ports, other] = await make())[0]);
    const { submit, running, begin, userNamed } = fixture;
    const noted = (): Promise<readonly string[]> => ports.droppedObjects.list({ by: days(9), after: '', limit: 100 });
    /** A running job on this file. */
    async function claimed(file: object): Promise<number> {
      const { job } = await submit({ file });
      await ports.jobs.claim(job.id, 'claim', at);
      return job.id;
    }

    it('takes everything with it that hangs on it', async () => {
      const userId = await userNamed('ada@example.org');
      const caseId = (await ports.cases.create({ name: 'c', ownerId: userId, isShared: true, at })).id;
      const receipt = { userId, key: 'k', fingerprint: 'f'.repeat(64) };
      const { job, file } = await submit({ marks: { receipt, caseId, tags: ['x'] } });
      await ports.jobs.claim(job.id, 'claim', at);
      const [id = 0] = await begin(job.id);
      await ports.results.finishTask(id, outcome({ derived: derived() }), at);
      await moveJob(ports, job.id, ended);
      const [finding] = await ports.findings.withEvents(job.id);
      const later = new Date(at.getTime() + 1000);

      expect(await removeJob(ports, job.id, { by: null, at: later })).toEqual([file.storageKey]);
      expect(await ports.jobs.get(job.id)).toBeNull();
      expect(await ports.jobViews.get(admin, job.id)).toBeNull();
      expect(await ports.jobViews.tasks(job.id)).toEqual([]);
      expect(await ports.findings.get(admin, finding!.id)).toBeNull();
      expect(await ports.findings.events(finding!.id)).toEqual([]);
      expect(await ports.derivations.analytics(job.id)).toBeNull();
      expect(await ports.tags.find(admin, { text: 'x', limit: 1 })).toMatchObject([{ name: 'x', jobs: 0 }]);
      expect((await ports.cases.get(caseId))?.updatedAt).toEqual(later);
      expect(await ports.files.get(file.id)).toBeNull();
      expect(await ports.receipts.find(userId, 'job', 'k')).toMatchObject({ jobId: null });
      expect(await removeJob(ports, job.id, { by: null, at: later })).toBeNull();
    });

    it('keeps the file for the other jobs on it, and notes its object with the last', async () => {
      const sha256 = 'ab'.repeat(32);
      const [one, two] = [await submit({ file: { sha256 } }), await submit({ file: { sha256 } })];
      expect(await removeJob(ports, one.job.id, { by: null, at })).toEqual([]);
      expect((await ports.jobs.get(two.job.id))?.file).toEqual(one.file);
      expect(await noted()).toEqual([]);
      expect(await removeJob(ports, two.job.id, { by: null, at })).toEqual([one.file.storageKey]);
      expect(await noted()).toEqual([one.file.storageKey]);
      await ports.droppedObjects.forget(one.file.storageKey);
      expect(await noted()).toEqual([]);
    });

    it('leaves nothing for its worker to write', async () => {
      const id = await running();
      const [taskId = 0] = await begin(id);
      await removeJob(ports, id, { by: null, at });
      await ports.results.saveProgress(taskId, 1);
      expect(await ports.results.finishTask(taskId, outcome({ derived: derived() }), at)).toBe(false);
      expect(await beginTasks(ports, { id, claim: 'claim' }, [task], at)).toBeNull();
      expect(await ports.jobs.claim(id, 'again', at)).toBe(false);
      expect(await moveJob(ports, id, { ...ended, claim: 'claim' })).toBe(false);
      expect(await ports.jobs.get(id)).toBeNull();
    });

    it('drops what its engines put out', async () => {
      const { job, file } = await submit();
      await ports.jobs.claim(job.id, 'claim', at);
      const [id = 0] = await begin(job.id);
      await ports.results.finishTask(id, outcome({ rawOutputs: [rawOutput('a')] }), at);
      expect(await ports.rawOutputs.add(id, rawOutput('b'), at)).toBe(true);
      expect(await ports.rawOutputs.ofJob(job.id)).toMatchObject([
        { ...rawOutput('a'), taskId: id, engine: 'sigma-native', position: 0, createdAt: at },
        rawOutput('b'),
      ]);
      const keys = ['a', 'b'].map((name) => rawOutput(name).storageKey);
      expect([...((await removeJob(ports, job.id, { by: null, at })) ?? [])].sort()).toEqual(
        [file.storageKey, ...keys].sort(),
      );
      expect([...(await noted())].sort()).toEqual([file.storageKey, ...keys].sort());
      expect(await ports.rawOutputs.add(id, rawOutput('c'), at)).toBe(false);
    });

    it('drops what an earlier attempt put out', async () => {
      const id = await running();
      const [taskId = 0] = await begin(id);
      await ports.results.finishTask(taskId, outcome({ rawOutputs: [rawOutput('a')] }), at);
      await begin(id);
      expect(await ports.rawOutputs.ofJob(id)).toEqual([]);
      expect(await noted()).toEqual([rawOutput('a').storageKey]);
    });

    it('leaves what is still wanted for a while', async () => {
      await ports.droppedObjects.note(['outputs/a'], at);
      await ports.droppedObjects.note(['outputs/b'], days(1));
      expect(await ports.droppedObjects.list({ by: at, after: '', limit: 9 })).toEqual(['outputs/a']);
      expect(await noted()).toEqual(['outputs/a', 'outputs/b']);
    });

    it('of raw outputs alone takes the oldest first, and notes them', async () => {
      for (const [day, name] of ['a', 'b', 'c'].entries()) {
        const [taskId = 0] = await begin(await running());
        await ports.results.finishTask(taskId, outcome({ rawOutputs: [rawOutput(name)] }), days(day));
      }
      const dropping = { ...ports, clock: { now: () => at } };
      expect(await dropOutputs(dropping, at, 10)).toEqual([]);
      expect(await dropOutputs(dropping, days(2), 1)).toEqual([rawOutput('a').storageKey]);
      expect(await dropOutputs(dropping, days(2), 10)).toEqual([rawOutput('b').storageKey]);
      expect(await noted()).toEqual([rawOutput('a').storageKey, rawOutput('b').storageKey]);
    });

    it('refuses another job on a file that is gone', async () => {
      const { job, file } = await submit();
      const again = { ...(await submission()), file: { id: file.id } };
      expect((await recordSubmission(ports, again)).file).toEqual(file);
      await removeJob(ports, job.id, { by: null, at });
      const { job: last } = await recordSubmission(ports, again);
      await removeJob(ports, last.id - 1, { by: null, at });
      await removeJob(ports, last.id, { by: null, at });
      await expect(recordSubmission(ports, again)).rejects.toMatchObject({ code: 'not_found' });
    });

    async function submission(): Promise<NewSubmission> {
      const workflowId = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
      const who = { submittedBy: null, submitterIp: '', submittedName: 'a.evtx' };
      return {
        file: { id: 0 },
        job: { ...who, workflowId, logType: 'evtx', isPrivate: false },
        reuse: null,
        marks: { receipt: null, upload: null, caseId: null, tags: [], by: null, at },
      };
    }

    describe('while another process', () => {
      it('removes it, too, happens once', async () => {
        for (let round = 0; round < rounds; round += 1) {
          const sha256 = round.toString(16).repeat(64);
          const [a, b] = [await submit({ file: { sha256 } }), await submit({ file: { sha256 } })];
          const ends = await Promise.all([
            removeJob(ports, a.job.id, { by: null, at }),
            removeJob(other, b.job.id, { by: null, at }),
            removeJob(other, a.job.id, { by: null, at }),
            removeJob(ports, b.job.id, { by: null, at }),
          ]);
          expect(ends.filter((end) => end !== null)).toHaveLength(2);
          expect(ends.flatMap((end) => end ?? [])).toEqual([a.file.storageKey]);
        }
      });

      it('works on it, ends quietly on both sides', async () => {
        for (let round = 0; round < rounds; round += 1) {
          const id = await running();
          const [taskId = 0] = await begin(id);
          const ends = await Promise.allSettled([
            other.results.finishTask(taskId, outcome({ derived: derived() }), at),
            removeJob(ports, id, { by: null, at }),
            moveJob(other, id, { ...ended, claim: 'claim' }),
            beginTasks(other, { id, claim: 'claim' }, [task], at),
            giveTags(other, [{ name: 'x', color: null }], { jobIds: [id], by: null, at }),
            takeTags(ports, ['x'], { jobIds: [id], by: null, at }),
          ]);
          expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
          expect(await ports.jobs.get(id)).toBeNull();
          expect(await ports.jobViews.tasks(id)).toEqual([]);
          expect(await ports.findings.withEvents(id)).toEqual([]);
        }
      });

      it('submits the same bytes or file, leaves no job without its object', async () => {
        for (let round = 0; round < rounds; round += 1) {
          const content = contentOf(`ElfFile\0 ${round}`);
          const first = await spoolUpload(ports, { fileName: 'a.evtx', content });
          const same = await spoolUpload(ports, { fileName: 'a.evtx', content: contentOf(`ElfFile\0 ${round}`) });
          const { job, marks } = await submission();
          const sent = { ...plainSubmission, workflow_id: job.workflowId };
          const { job_id: id } = await uploadFile(ports, visitor, { ...sent, file: first });
          const fileId = (await ports.jobs.get(id))!.file.id;
          const remove = async (): Promise<void> => {
            for (const key of (await removeJob(ports, id, { by: null, at })) ?? []) await ports.objects.delete(key);
          };
          const [, uploaded, named] = await Promise.allSettled([
            remove(),
            uploadFile(other, visitor, { ...sent, file: same }),
            recordSubmission(other, { file: { id: fileId }, job, reuse: null, marks }),
          ]);
          const refused = named.status === 'rejected' ? (named.reason as { code: string }).code : null;
          expect(refused === null || refused === 'not_found').toBe(true);
          expect(uploaded.status).toBe('fulfilled');
          const accepted = [
            ...(uploaded.status === 'fulfilled' ? [uploaded.value.job_id] : []),
            ...(named.status === 'fulfilled' ? [named.value.job.id] : []),
          ];
          const keys = await Promise.all(accepted.map(async (made) => (await ports.jobs.get(made))!.file.storageKey));
          const stored = await Promise.all(keys.map((key) => ports.objects.exists(key)));
          expect(stored).toEqual(accepted.map(() => true));
        }
      });
    });

    it('leaves another job on the same file at work', async () => {
      const file = { sha256: 'ef'.repeat(32) };
      const [one, two] = [await claimed(file), await claimed(file)];
      await removeJob(ports, one, { by: null, at });
      const [taskId = 0] = await begin(two);
      expect(await ports.results.finishTask(taskId, outcome(), at)).toBe(true);
    });
  });
}
