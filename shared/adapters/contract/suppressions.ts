import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewSuppression } from '@svc/application/report/suppression-repository.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { account, at, jobFixture, outcome, visitor, type JobPorts } from './job-fixture.ts';

type SuppressionPorts = JobPorts & Pick<Ports, 'suppressedFindings' | 'suppressions'>;

/** What the repositories of suppressions do; `make` gives empty ones with workflows. */
export function suppressionsContract(make: () => Promise<SuppressionPorts>): void {
  describe('suppressions', () => {
    let ports: SuppressionPorts;
    const { submit, begin, userNamed } = jobFixture(async () => (ports = await make()));
    const root = account('00000000-0000-4000-8000-000000000000', 'admin');
    let written: NewSuppression;
    beforeEach(() => {
      written = {
        caseId: null,
        ruleId: 'one',
        ruleName: 'One',
        conditions: [{ field: 'Image', test: 'equals', value: 'nul \0 \ud800' }],
        reason: 'a backup',
        isPrivate: false,
        authorId: null,
        createdAt: at,
        expiresAt: null,
      };
    });

    async function reported(count: number, job: object = {}): Promise<{ job: number; finding: number }> {
      const { id } = (await submit({ job })).job;
      await ports.jobs.claim(id, 'claim', at);
      const [task = 0] = await begin(id);
      await ports.results.finishTask(task, outcome({ findings: [finding({ ruleId: 'one', count })] }), at);
      await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'claim' });
      return { job: id, finding: (await ports.findings.ofTask(task))[0]!.id };
    }

    it('are listed with their authors, in force until they end, and gone when settled after they were taken back', async () => {
      const authorId = await userNamed('ada@example.org');
      const later = new Date(at.getTime() + 1000);
      const first = await ports.suppressions.add({ ...written, authorId });
      const second = await ports.suppressions.add({ ...written, expiresAt: later });
      const { job } = await reported(3);
      expect(await ports.suppressions.list(null)).toMatchObject([
        { id: second, author: null, expiresAt: later },
        { id: first, author: { id: authorId, name: 'ada' }, conditions: [{ value: 'nul \uFFFD \uFFFD' }] },
      ]);
      const inForce = async (when: Date) => (await ports.suppressedFindings.inForce(job, when)).map(({ id }) => id);
      expect(await inForce(at)).toEqual([first, second]);
      expect(await inForce(later)).toEqual([first]);
      expect(await ports.suppressions.due(at)).toEqual([first, second]);
      for (const id of [first, second]) await ports.suppressions.settle({ id, removedAt: null }, at);
      expect([await ports.suppressions.due(at), await ports.suppressions.due(later)]).toEqual([[], [second]]);
      const before = (await ports.suppressions.get(first))!;
      expect([await ports.suppressions.remove(first, at), await ports.suppressions.remove(first, at)]).toEqual([
        true,
        false,
      ]);
      // Who settles one as it was has not taken the marks of one that was taken back meanwhile.
      await ports.suppressions.settle(before, at);
      expect(await ports.suppressions.due(at)).toEqual([first]);
      await ports.suppressions.settle((await ports.suppressions.get(first))!, at);
      expect(await ports.suppressions.get(first)).toBeNull();
    });

    it('stay while something is marked by them, and mark nothing once they are gone', async () => {
      const [id, other] = [await ports.suppressions.add(written), await ports.suppressions.add(written)];
      const { finding: marked } = await reported(5);
      const [one, two] = [(await ports.suppressions.get(id))!, (await ports.suppressions.get(other))!];
      const suppressed = async () => (await ports.findings.get(visitor, marked))?.suppressed;
      await ports.suppressions.remove(id, at);
      // By a job that has read what is in force before it was taken back.
      await ports.suppressedFindings.mark(marked, [{ suppression: one, events: 2 }]);
      const removed = (await ports.suppressions.get(id))!;
      await ports.suppressions.settle(removed, at);
      expect([await ports.suppressions.due(at), await suppressed()]).toEqual([[id, other], 2]);
      await ports.suppressedFindings.mark(marked, []);
      await ports.suppressions.settle(removed, at);
      expect(await ports.suppressions.get(id)).toBeNull();
      const by = [one, two].map((suppression) => ({ suppression, events: 1 }));
      await ports.suppressedFindings.mark(marked, by);
      expect(await suppressed()).toBe(1);
    });

    it('mark findings, whose matches count no more, and say how often, of what the viewer sees', async () => {
      const owner = await userNamed('ada@example.org');
      const id = await ports.suppressions.add(written);
      const other = await ports.suppressions.add(written);
      const [open, hidden] = [await reported(5), await reported(7, { isPrivate: true, submittedBy: owner })];
      const suppression = (await ports.suppressions.get(id))!;
      expect(await ports.suppressedFindings.jobsAfter(suppression, 0, 1, at)).toEqual([open.job]);
      expect(await ports.suppressedFindings.jobsAfter(suppression, open.job, 9, at)).toEqual([hidden.job]);
      for (const { job, finding: of } of [open, hidden]) {
        const [found] = await ports.suppressedFindings.ofRules(job, ['one']);
        expect(found!.id).toBe(of);
        await ports.suppressedFindings.mark(found!.id, [
          { suppression, events: 2 },
          { suppression: { id: other, caseId: null }, events: 3 },
        ]);
      }
      expect(await ports.results.totals(open.job)).toMatchObject({
        totalFindings: 0,
        distinctRules: 0,
        scoreRatio: '0/1',
      });
      expect(await ports.results.totals(hidden.job)).toMatchObject({
        totalFindings: 2,
        distinctRules: 1,
        scoreRatio: '1/1',
      });
      const seen = async (viewer: typeof visitor) => (await ports.suppressedFindings.hits(viewer, [id, other])).get(id);
      expect(await seen(visitor)).toMatchObject({ findings: 1, events: 2, jobs: 1 });
      expect(await seen(root)).toMatchObject({ findings: 2, events: 4, jobs: 2 });
      await ports.suppressions.remove(id, at);
      const gone = (await ports.suppressions.get(id))!;
      expect(await ports.suppressedFindings.jobsAfter(gone, 0, 9, at)).toEqual([open.job, hidden.job]);
      const [found] = await ports.suppressedFindings.ofRules(open.job, ['one']);
      await ports.suppressedFindings.keep(found!.id, [other]);
      expect(await ports.results.totals(open.job)).toMatchObject({ totalFindings: 2 });
      await ports.suppressedFindings.mark(found!.id, []);
      expect(await ports.results.totals(open.job)).toMatchObject({ totalFindings: 5 });
      expect(await ports.suppressedFindings.jobsAfter(gone, 0, 9, at)).toEqual([hidden.job]);
    });
  });
}
