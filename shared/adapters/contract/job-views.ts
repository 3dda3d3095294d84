import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { JobView } from '@svc/application/jobs/job-views.ts';
import type { JobSearch } from '@svc/application/jobs/job-lists.ts';
import { type Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { account, at, outcome, visitor, jobFixture, type JobPorts } from './job-fixture.ts';

const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);

const idsOf = async (views: Promise<readonly JobView[]>) => (await views).map(({ job }) => job.id);

/** What the lists of jobs show to whom; `make` gives empty repositories with workflows. */
export function jobViewsContract(make: () => Promise<JobPorts>): void {
  describe('views of jobs', () => {
    let ports: JobPorts;
    const { submit, userNamed, running, begin } = jobFixture(async () => (ports = await make()));
    const everything: JobSearch = { filters: [], now: at };
    const page = (viewer: Actor, number: number) => ports.jobLists.page(viewer, everything, { page: number, per: 20 });

    describe('lists', () => {
      it('show the newest first, and the higher id within a moment', async () => {
        const ids: number[] = [];
        for (const seconds of [0, 10, 10, 5]) {
          ids.push((await submit({ at: new Date(at.getTime() + seconds * 1000) })).job.id);
        }
        const shown = await page(visitor, 1);
        expect(shown.jobs.map(({ job }) => job.id)).toEqual([ids[2], ids[1], ids[3], ids[0]]);
        expect(shown).toMatchObject({ page: 1, total: 4, hasRunning: true });
      });

      it('count exactly, and show the last page for one past the end', async () => {
        for (let count = 0; count < 21; count += 1) await submit();
        const shown = await page(visitor, 7);
        expect(shown).toMatchObject({ page: 2, total: 21 });
        expect(shown.jobs).toHaveLength(1);
      });

      it('hide the private jobs of others in every view', async () => {
        const owner = await userNamed('owner@example.org');
        const other = await userNamed('other@example.org');
        const secret = (await submit({ job: { isPrivate: true, submittedBy: owner } })).job.id;
        const open = (await submit({ job: { submittedBy: other } })).job.id;
        const seen = async (viewer: Actor): Promise<number[][]> => [
          (await page(viewer, 1)).jobs.map(({ job }) => job.id),
          (await ports.jobViews.among(viewer, [secret, open])).map(({ id }) => id).sort((a, b) => b - a),
          (await ports.jobViews.active(viewer, 9)).map(({ job }) => job.id).sort((a, b) => b - a),
          (await ports.jobViews.get(viewer, secret)) ? [secret] : [],
        ];
        const both = [open, secret];
        for (const viewer of [account(owner), account(other, 'admin')]) {
          expect(await seen(viewer)).toEqual([both, both, both, [secret]]);
        }
        for (const viewer of [visitor, account(other), account(other, 'member')]) {
          expect(await seen(viewer)).toEqual([[open], [open], [open], []]);
        }
        const shown = await page(visitor, 1);
        expect(shown.total).toBe(1);
      });

      it('begin with what is worked on, then what waits the longest, and tell what ended last', async () => {
        const [waiting, first, second] = [(await submit()).job.id, await running(), await running()];
        const last = (await submit({ at: later(60) })).job.id;
        expect(await idsOf(ports.jobViews.active(visitor, 9))).toEqual([first, second, waiting, last]);
        expect(await idsOf(ports.jobViews.active(visitor, 3))).toEqual([first, second, waiting]);
        expect(await idsOf(ports.jobViews.lastEnded(visitor, 9))).toEqual([]);
        for (const [id, seconds] of [
          [second, 20],
          [first, 30],
        ] as const) {
          await moveJob(ports, id, { from: 'running', to: 'failed', at: later(seconds) });
        }
        expect(await idsOf(ports.jobViews.lastEnded(visitor, 9))).toEqual([first, second]);
        expect(await idsOf(ports.jobViews.active(visitor, 9))).toEqual([waiting, last]);
      });

      it('name the worst finding, and of those the one with the most matches', async () => {
        const clean = await running();
        const id = await running();
        const [task] = await begin(id);
        const found = [
          finding({ ruleName: 'Many', severity: 'low', count: 900 }),
          finding({ ruleName: 'Rare', severity: 'critical', count: 1 }),
          finding({ ruleName: 'Worst', severity: 'critical', count: 3 }),
        ];
        await ports.results.finishTask(task!, outcome({ findings: found }), at);
        const tops = (await page(visitor, 1)).jobs.map(({ job, topFinding }) => [job.id, topFinding?.ruleName]);
        expect(tops).toEqual([
          [id, 'Worst'],
          [clean, undefined],
        ]);
        expect((await ports.jobViews.get(visitor, clean))?.topFinding).toBeNull();
        const top = (await ports.jobViews.get(visitor, id))?.topFinding;
        expect(await ports.findings.get(visitor, top!.id)).toMatchObject({ ruleName: 'Worst', severity: 'critical' });
      });

      it('tell where a job stands in the queue, and how long recent ones of its workflow took', async () => {
        const first = await submit({ at: later(1) });
        const [second, third] = [await submit({ at: later(2) }), await submit({ at: later(2) })];
        const positionOf = async ({ job }: typeof first) => (await ports.jobViews.queue(job)).position;
        expect([await positionOf(first), await positionOf(second), await positionOf(third)]).toEqual([1, 2, 3]);
        expect((await ports.jobViews.queue(third.job)).meanSeconds).toBeNull();
        for (const [{ job }, to, seconds] of [
          [first, 'completed', 10],
          [second, 'failed', 500],
        ] as const) {
          await ports.jobs.claim(job.id, 'claim', at);
          await moveJob(ports, job.id, { from: 'running', to, at: later(seconds) });
        }
        expect(await ports.jobViews.queue(third.job)).toEqual({ position: 1, meanSeconds: 10 });
        const workflowId = (await ports.workflows.list()).at(-1)!.id;
        expect(workflowId).not.toBe(third.job.workflowId);
        expect((await ports.jobViews.queue((await submit({ job: { workflowId } })).job)).meanSeconds).toBeNull();
      });

      it('say whether something visible runs, and who submitted', async () => {
        const owner = await userNamed('owner@example.org');
        const { job } = await submit({ job: { isPrivate: true, submittedBy: owner } });
        expect((await page(visitor, 1)).hasRunning).toBe(false);
        expect((await page(account(owner), 1)).hasRunning).toBe(true);
        expect(await ports.jobViews.get(account(owner), job.id)).toMatchObject({ submitter: 'owner@example.org' });
        await moveJob(ports, job.id, { from: 'pending', to: 'cancelled', at });
        expect((await page(account(owner), 1)).hasRunning).toBe(false);
        expect(await ports.jobViews.live()).toEqual([]);
      });
    });
  });
}
