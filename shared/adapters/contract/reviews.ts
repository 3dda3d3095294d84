import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewFinding } from '@svc/application/report/new-finding.ts';
import type { ReviewChange } from '@svc/application/report/review-repository.ts';
import { longestHost } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { at, jobFixture, outcome, type JobPorts } from './job-fixture.ts';

type ReviewPorts = JobPorts & Pick<Ports, 'reviews'>;
type Decided = Partial<ReviewChange> & Pick<ReviewChange, 'by'>;

/** What the repository of decisions about findings does; `make` gives empty ones with workflows. */
export function reviewRepositoryContract(make: () => Promise<ReviewPorts>): void {
  describe('decisions about findings', () => {
    let ports: ReviewPorts;
    const { submit, begin, userNamed } = jobFixture(async () => (ports = await make()));

    /** A job that has ended with these findings; their numbers in order. */
    async function reported(found: readonly Partial<NewFinding>[], job: object = {}) {
      const { id } = (await submit({ job })).job;
      await ports.jobs.claim(id, 'claim', at);
      return { id, ids: await analysed(id, found) };
    }

    async function analysed(id: number, found: readonly Partial<NewFinding>[]): Promise<number[]> {
      const [task = 0] = await begin(id);
      await ports.results.finishTask(task, outcome({ findings: found.map(finding) }), at);
      await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'claim' });
      return (await ports.findings.ofTask(task)).map((row) => row.id);
    }

    const decide = (jobId: number, findingIds: readonly number[], change: Decided) =>
      ports.transaction(async (tx) => {
        await tx.jobs.hold([jobId]);
        await tx.reviews.set({ jobId, findingIds, remember: false, at, ...change });
      });
    const countOf = async (id: number) => (await ports.jobs.get(id))?.job.reviewedRules;
    const statesOf = async (id: number) =>
      (await ports.reviews.ofJob(id)).map(({ findingId, state }) => [findingId, state]);

    const one = { ruleId: 'one', hosts: ['WS1'] };
    const two = { ruleId: 'two', hosts: ['WS1', 'ws2'] };

    it('are of findings of the job alone, and what is not given stays', async () => {
      const by = await userNamed('ada@example.org');
      const { id, ids } = await reported([one, two]);
      const other = await reported([one]);
      await decide(id, [ids[0]!, other.ids[0]!], { by, state: 'benign', note: 'a backup', assigneeId: by });
      await decide(id, [ids[0]!], { by, state: 'escalated' });
      await decide(id, [ids[0]!], { by, note: 'nul \ud800 no backup' });
      const ada = { id: by, name: 'ada' };
      expect(await ports.reviews.ofJob(id)).toEqual([
        {
          findingId: ids[0],
          state: 'escalated',
          note: 'nul \uFFFD no backup',
          assignee: ada,
          by: ada,
          at,
          isRemembered: false,
          isFromEarlier: false,
        },
      ]);
      await decide(id, ids, { by, assigneeId: null });
      expect(await ports.reviews.ofJob(id, [ids[1]!])).toMatchObject([{ state: 'new', assignee: null }]);
      expect(await ports.reviews.ofJob(other.id)).toEqual([]);
      expect(await countOf(id)).toBe(1);
    });

    it('are about a rule, so that they stay when the job is analysed again', async () => {
      const by = await userNamed('ada@example.org');
      const { id } = (await submit()).job;
      await ports.jobs.claim(id, 'claim', at);
      const [task = 0] = await begin(id);
      await ports.results.finishTask(task, outcome({ findings: [finding(one), finding(two)] }), at);
      const [first] = await ports.findings.ofTask(task);
      await decide(id, [first!.id], { by, state: 'reviewed' });
      const again = await analysed(id, [two, one]);
      expect(again).not.toContain(first!.id);
      expect(await statesOf(id)).toEqual([[again[1], 'reviewed']]);
      expect(await countOf(id)).toBe(1);
    });

    it('hold for the same rule on the same hosts in later jobs of who asked for it', async () => {
      const by = await userNamed('ada@example.org');
      const { id, ids } = await reported([one, two]);
      await decide(id, ids, { by, state: 'benign', note: 'a backup', remember: true });
      const mine = { submittedBy: by };
      const later = await reported(
        [
          { ...one, hosts: ['ws1'] },
          { ...two, hosts: ['ws2'] },
        ],
        mine,
      );
      expect(await ports.reviews.ofJob(later.id)).toMatchObject([
        { findingId: later.ids[0], state: 'benign', note: 'a backup', isFromEarlier: true, isRemembered: true },
        { findingId: later.ids[1], state: 'benign', isFromEarlier: true },
      ]);
      expect(await countOf(later.id)).toBe(2);
      const more = await reported([{ ...two, hosts: ['dc1', 'ws1', 'ws2'] }], mine);
      const unknown = await reported(
        [
          { ...two, hosts: null },
          { ...one, hosts: [] },
        ],
        mine,
      );
      const worse = await reported([{ ...one, severity: 'critical' }], mine);
      const others = await reported([one]);
      for (const job of [more, unknown, worse, others]) expect(await statesOf(job.id)).toEqual([]);
    });

    it('are forgotten once something else is decided, and never undo what was decided in a job', async () => {
      const by = await userNamed('ada@example.org');
      const mine = { submittedBy: by };
      const { id, ids } = await reported([one, two]);
      await decide(id, ids, { by, state: 'benign', remember: true });
      await decide(id, [ids[0]!], { by, state: 'new' });
      const later = await reported([one, two], mine);
      expect(await statesOf(later.id)).toEqual([[later.ids[1], 'benign']]);
      await decide(later.id, later.ids, { by, state: 'escalated', remember: true });
      await decide(id, [ids[1]!], { by, state: 'benign', remember: true });
      await ports.transaction((tx) => tx.reviews.applyRemembered(later.id, at));
      expect((await ports.reviews.ofJob(later.id)).map(({ state }) => state)).toEqual(['escalated', 'escalated']);
      // Its hosts were told different things.
      await decide(id, [ids[0]!], { by, state: 'benign', remember: true });
      const split = await reported([{ ...one, hosts: ['WS1', 'ws9'] }], mine);
      await decide(split.id, split.ids, { by, state: 'escalated', remember: true });
      await decide(id, [ids[0]!], { by, state: 'benign', remember: true });
      expect(await statesOf((await reported([{ ...one, hosts: ['WS1', 'ws9'] }], mine)).id)).toEqual([]);
    });

    it('of private jobs hold in private jobs alone', async () => {
      const by = await userNamed('ada@example.org');
      const mine = { submittedBy: by };
      const secret = { ...mine, isPrivate: true };
      const { id, ids } = await reported([one, two], secret);
      await decide(id, ids, { by, state: 'benign', note: 'told nobody', remember: true });
      expect(await statesOf((await reported([one, two], mine)).id)).toEqual([]);
      const later = await reported([one], secret);
      expect(await ports.reviews.ofJob(later.id)).toMatchObject([{ state: 'benign', note: 'told nobody' }]);
      const open = await reported([two], mine);
      await decide(open.id, open.ids, { by, state: 'reviewed', remember: true });
      expect(await ports.reviews.ofJob((await reported([two], secret)).id)).toMatchObject([{ state: 'reviewed' }]);
    });

    it('are not remembered where the hosts are not known or cannot be told', async () => {
      const by = await userNamed('ada@example.org');
      const names = [{ hosts: null }, { hosts: [] }, { hosts: ['x'.repeat(longestHost + 1)] }];
      for (const hosts of names) {
        const { id, ids } = await reported([{ ...one, ...hosts }]);
        await decide(id, ids, { by, state: 'benign', remember: true });
        expect(await ports.reviews.ofJob(id)).toMatchObject([{ state: 'benign', isRemembered: false }]);
      }
    });

    it('stay without the account that made them, and go with their job', async () => {
      const by = await userNamed('ada@example.org');
      const { id, ids } = await reported([one]);
      await decide(id, ids, { by, state: 'benign', remember: true, assigneeId: by });
      await ports.accounts.delete(by);
      expect(await ports.reviews.ofJob(id)).toMatchObject([{ state: 'benign', by: null, assignee: null }]);
      await ports.transaction((tx) => tx.jobs.remove(id));
      expect(await ports.reviews.ofJob(id)).toEqual([]);
    });
  });
}
