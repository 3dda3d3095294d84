import { jobSorts } from '@svc/contracts';
import { giveTags } from '@svc/application/tags/give-tags.ts';
import { takeTags } from '@svc/application/tags/take-tags.ts';
import { removeJob } from '@svc/application/jobs/remove-job.ts';
import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { recordSubmission } from '@svc/application/submissions/record-submission.ts';
import type { JobPage, ListCursor } from '@svc/application/jobs/job-lists.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { planSearch } from '@svc/application/jobs/plan-search.ts';
import {
  canView,
  hasRole,
  isTerminal,
  jobStatuses,
  logTypes,
  searchTraits,
  severities,
  type Actor,
  type Job,
} from '@svc/domain';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { account, at, marks, outcome, visitor } from './job-fixture.ts';
import { type Facts, meetsAll, queries } from './job-search-reading.ts';
import type { Runs } from './runs.ts';

const names = [
  'Security.evtx',
  'SRV01-System.evtx',
  'srv_02%.json',
  'Übersicht Größe.log',
  'my report.csv',
  'a-b.zip',
  null,
];
const tagNames = ['reviewed', 'two words', 'übel', '100%'];
const engines = ['sigma-native', 'Hunter_X'];
const days = (count: number): Date => new Date(at.getTime() - count * 86_400_000);

function worstRank(summary: Job['severitySummary']): number {
  return severities.findIndex((severity) => summary[severity] > 0);
}

/** What the search finds, against a plain reading of every job; `make` gives empty repositories with workflows. */
export function jobSearchContract(make: () => Promise<Ports>, runs: Runs): void {
  describe('the search of jobs', () => {
    let ports: Ports;
    let facts: Facts[];
    let viewers: Actor[];

    beforeAll(async () => {
      ports = await make();
      const [ada, eve] = [await userNamed('ada'), await userNamed('eve')];
      viewers = [visitor, account(ada), account(eve, 'member'), account(ada, 'admin')];
      facts = [];
      const random = fc.sample(seedOfJob, { numRuns: 60, seed: 7 });
      for (const one of random) facts.push(await makeJob(one, [ada, eve, null]));
    });

    async function userNamed(name: string): Promise<string> {
      const email = `${name}@example.org`;
      return (await ports.accounts.create({ email, passwordHash: 'x', role: 'user', displayName: null })).id;
    }

    async function makeJob(one: JobSeed, users: readonly (string | null)[]): Promise<Facts> {
      const workflows = await ports.workflows.list();
      const workflow = workflows[one.workflow % workflows.length]!;
      const { name: submittedName, logType, isPrivate, status, tags, tools, findings } = one;
      const submittedBy = users[one.user] ?? null;
      const sha256 = one.digest;
      const { job } = await recordSubmission(ports, {
        file: { sha256, storageKey: sha256, originalName: 'x', sizeBytes: 1, detectedType: 'evtx', uploaderIp: '' },
        job: { submittedName, logType, isPrivate, submittedBy, workflowId: workflow.id, submitterIp: '' },
        reuse: null,
        marks: marks({ tags, at: days(one.age) }),
      });
      if (status !== 'pending') await ports.jobs.claim(job.id, 'claim', at);
      const tasks = tools.map((engine) => ({ engine, status: 'pending', errorMessage: null, bytesTotal: 1 }) as const);
      // Some logs were damaged, and some empty.
      const [warnings, events] = [
        Math.floor(one.age) % 3 === 0 ? ['cut short'] : [],
        Math.floor(one.age) % 5 === 0 ? 0 : 7,
      ];
      const ids = status === 'pending' ? [] : await beginTasks(ports, { id: job.id, claim: 'claim' }, tasks, at);
      for (const [index, id] of (ids ?? []).entries()) {
        await ports.results.startTask(id, at);
        const ofTask = findings.filter((_, place) => place % tools.length === index);
        const over = { findings: ofTask.map((given) => finding(given)), warnings, events };
        await ports.results.finishTask(id, outcome(over), at);
      }
      const error = status === 'failed' ? ({ code: 'worker_lost_startup', message: 'lost' } as const) : undefined;
      const change = { to: status, at, ...(error && { error }) };
      if (isTerminal(status)) await moveJob(ports, job.id, { from: 'running', ...change });
      const watchers = one.watchers.flatMap((place) => users[place] ?? []);
      for (const userId of watchers) await ports.watches.begin(userId, job.id, at);
      const stored = await ports.jobs.get(job.id);
      return {
        job: stored!.job,
        sha256,
        workflow: workflow.name,
        tags,
        watchers,
        tools: status === 'pending' ? [] : tools,
        hasGaps: status !== 'pending' && tools.length > 0 && (warnings.length > 0 || events === 0),
      };
    }

    /** All that a search finds: pages by their number, and then each by the cursor of the one before. */
    async function found(viewer: Actor, q: string, tags: string[] = []): Promise<number[]> {
      const { search } = planSearch(viewer, { q, tags }, at);
      const ids: number[] = [];
      const place = { page: 1, per: 20 };
      let shown = await ports.jobLists.page(viewer, search, place);
      for (const first = shown; ; place.page += 1) {
        expect(shown).toMatchObject({ page: place.page, total: first.total, isFloor: false });
        expect(shown.newer === null).toBe(place.page === 1);
        ids.push(...shown.jobs.map(({ job }) => job.id));
        if (shown.older === null) break;
        const next = { ...place, page: place.page + 1 };
        const numbered = await ports.jobLists.page(viewer, search, next);
        shown = await ports.jobLists.page(viewer, search, { ...next, cursor: shown.older });
        expect(shown).toEqual(numbered);
      }
      expect(ids).toHaveLength(shown.total);
      return ids;
    }

    /** The same, by looking at every job. */
    function expected(viewer: Actor, q: string, tags: string[] = []): number[] {
      const { search } = planSearch(viewer, { q, tags }, at);
      return facts
        .filter(({ job }) => canView(job, viewer))
        .filter((one) => meetsAll(viewer, one, search.filters))
        .filter((one) => search.alternatives?.some((filters) => meetsAll(viewer, one, filters)) ?? true)
        .sort((a, b) => b.job.createdAt.getTime() - a.job.createdAt.getTime() || b.job.id - a.job.id)
        .map(({ job }) => job.id);
    }

    it.each(
      [
        ['', 'security', 'SRV', 'srv*', '*.EVTX', '*_0*', '%', '_', '"my report"', 'ÜBER', 'größe', 'upload-0', '*'],
        [
          '-security',
          'foo:bar',
          'security OR status:failed -is:private',
          'status:failed',
          '-status:failed,pending',
          'type:evtx,json',
          'workflow:a',
          '-workflow:e',
        ],
        [
          'sev:critical',
          '-sev:high,low',
          'tool:HUNTER',
          '-tool:sigma',
          'tool:_',
          'findings:0',
          'findings:>3',
          'findings:<0',
        ],
        ['findings:1..4,>20', '-findings:>=2', 'after:2d', 'before:2d', '-after:30d', 'after:0h', 'before:2026-08-01'],
        ['after:"2026-07-30 10:00" before:1d', 'id:1,2,3', 'sha256:0', '-sha256:00000000000000000000000000000'],
        searchTraits.flatMap((trait) => [`is:${trait}`, `-is:${trait}`]),
        [
          'is:mine,clean',
          'status:new',
          '-status:new',
          'tag:reviewed',
          '-tag:reviewed',
          'tag:nosuch',
          '-tag:nosuch,"two words"',
        ],
        [
          'tag:100%',
          'tag:reviewed tag:übel',
          'security status:completed -is:private sev:high',
          `${'e '.repeat(12)}zzz`,
        ],
      ].flat(),
    )('finds by %j what a look at every job does, for everyone', async (q) => {
      for (const viewer of viewers) expect(await found(viewer, q)).toEqual(expected(viewer, q));
    });

    it('unites tags with the one positive term that asks for some, and is otherwise a term of its own', async () => {
      for (const q of ['', 'tag:übel', '-tag:übel', 'tag:übel tag:100%', 'tag:']) {
        for (const viewer of viewers) {
          const ids = await found(viewer, q, ['reviewed', 'two words']);
          expect(ids).toEqual(expected(viewer, q, ['reviewed', 'two words']));
          expect(ids.length > 0 && !hasRole(viewer, 'member')).toBe(false);
        }
      }
    });

    it('finds by any query what a look at every job does', async () => {
      const random = fc.sample(queries, { numRuns: 120, seed: 11 });
      for (const q of random.slice(0, runs(120))) {
        for (const viewer of viewers) expect([q, await found(viewer, q)]).toEqual([q, expected(viewer, q)]);
      }
      // The queries are worth asking: many can be used, and find some jobs but not all.
      const sizes = random.map((q) => expected(viewers[3]!, q).length);
      expect(sizes.filter((size) => size > 0 && size < facts.length).length).toBeGreaterThan(30);
    });

    it('finds jobs as they are after each change', async () => {
      const [random, changing] = [fc.sample(queries, { numRuns: 60, seed: 13 }), facts.slice(0, 24)];
      for (const [index, one] of changing.entries()) {
        await alter(one, index);
        const q = random[index % random.length]!;
        for (const viewer of viewers) expect([q, await found(viewer, q)]).toEqual([q, expected(viewer, q)]);
      }
      for (const q of random.slice(0, runs(60))) {
        for (const viewer of viewers) expect([q, await found(viewer, q)]).toEqual([q, expected(viewer, q)]);
      }
    });

    it('goes back by cursors as it came', async () => {
      const everything = { filters: [], now: at };
      const page = (number: number, cursor: ListCursor | null = null) =>
        ports.jobLists.page(viewers[3]!, everything, { page: number, per: 7, cursor });
      const [first, second, third] = [await page(1), await page(2), await page(3)];
      expect(await page(2, third.newer)).toEqual(second);
      expect(await page(1, second.newer)).toEqual(first);
      expect(
        (await page(9, { side: 'newer', key: first.jobs[0]!.job.createdAt.getTime(), id: first.jobs[0]!.job.id })).jobs,
      ).toEqual([]);
    });

    it.each(jobSorts)('sorts by %s both ways, and goes through pages by cursors as by numbers', async (by) => {
      const keyOf = ({ createdAt, totalFindings, severitySummary }: Job): readonly number[] =>
        by === 'created'
          ? [createdAt.getTime()]
          : by === 'matches'
            ? [totalFindings]
            : severities
                .map((severity) => severitySummary[severity])
                .map((count, rank) => (rank === worstRank(severitySummary) ? count : 0));
      const seen = facts.map(({ job }) => job).filter((job) => canView(job, viewers[1]!));
      const sorted = seen
        .map((job) => [...keyOf(job), job.id])
        .sort((a, b) => a.map((part, place) => b[place]! - part).find((difference) => difference !== 0) ?? 0)
        .map((parts) => parts.at(-1));
      for (const isReversed of [false, true]) {
        const expectedIds = isReversed ? sorted.toReversed() : sorted;
        for (const byCursor of [false, true]) {
          const ids: number[] = [];
          let cursor: ListCursor | null = null;
          for (let number = 1; ids.length < seen.length; number += 1) {
            const shown: JobPage = await ports.jobLists.page(
              viewers[1]!,
              { filters: [], now: at },
              { page: number, per: 7, cursor: byCursor ? cursor : null },
              { by, isReversed },
            );
            ids.push(...shown.jobs.map(({ job }) => job.id));
            cursor = shown.older;
            if (cursor === null) break;
          }
          expect(ids).toEqual(expectedIds);
        }
      }
    });

    it.each(jobSorts)('sorts what a search finds by %s, jobs without matches by their number', async (by) => {
      for (const q of ['is:clean', '-is:hits', 'is:hits', 'is:clean,hits']) {
        const { search } = planSearch(viewers[3]!, { q, tags: [] }, at);
        const order = { by, isReversed: true };
        const { jobs } = await ports.jobLists.page(viewers[3]!, search, { page: 1, per: 100 }, order);
        const clean = jobs
          .filter(({ job }) => job.totalFindings === 0)
          .map(({ job }) => [...(by === 'created' ? [job.createdAt.getTime()] : []), job.id]);
        expect(clean).toEqual(clean.toSorted((a, b) => a[0]! - b[0]! || a.at(-1)! - b.at(-1)!));
        const ids = jobs.map(({ job }) => job.id);
        expect(ids.toSorted((a, b) => a - b)).toEqual(expected(viewers[3]!, q).toSorted((a, b) => a - b));
      }
    });

    it('orders jobs by their time, however their numbers do', async () => {
      const late = await makeJob({ ...fc.sample(seedOfJob, { numRuns: 1, seed: 3 })[0]!, age: 35 }, [null, null, null]);
      facts.push(late);
      expect(await found(viewers[3]!, '')).toEqual(expected(viewers[3]!, ''));
    });

    /** Changes a job in one of several ways, and its facts with it. */
    async function alter(one: Facts, how: number): Promise<void> {
      const { id, status } = one.job;
      const put = async (over: Partial<Facts>): Promise<void> => {
        const record = await ports.jobs.get(id);
        const place = facts.findIndex(({ job }) => job.id === id);
        if (record) facts[place] = { ...facts[place]!, ...over, job: record.job };
        else facts.splice(place, 1);
      };
      const tag = tagNames[how % tagNames.length]!;
      if (how % 4 === 0) {
        await giveTags(ports, [{ name: tag, color: null }], { jobIds: [id], by: null, at });
        return put({ tags: [...new Set([...one.tags, tag])] });
      }
      if (how % 4 === 1) {
        await takeTags(ports, [tag], { jobIds: [id], by: null, at });
        return put({ tags: one.tags.filter((name) => name !== tag) });
      }
      if (how % 4 === 2 && isTerminal(status)) {
        await removeJob(ports, id, { by: null, at });
        return put({});
      }
      if (!isTerminal(status)) await moveJob(ports, id, { from: status, to: 'cancelled', at });
      return put({});
    }
  });
}

const seedOfJob = fc.record({
  digest: fc
    .array(fc.nat(15), { minLength: 64, maxLength: 64 })
    .map((all) => all.map((one) => one.toString(16)).join('')),
  name: fc.constantFrom(...names),
  logType: fc.constantFrom(...logTypes.slice(0, 4)),
  isPrivate: fc.boolean(),
  user: fc.nat(2),
  workflow: fc.nat(9),
  status: fc.constantFrom(...jobStatuses),
  age: fc.double({ min: 0, max: 40, noNaN: true }).map((age) => Math.round(age * 100) / 100),
  watchers: fc.uniqueArray(fc.nat(1)),
  tags: fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 3 }),
  tools: fc.uniqueArray(fc.constantFrom(...engines), { minLength: 1 }),
  findings: fc.array(
    fc.record({ ruleId: fc.uuid(), severity: fc.constantFrom(...severities), count: fc.integer({ min: 1, max: 30 }) }),
    { maxLength: 3 },
  ),
});
type JobSeed = typeof seedOfJob extends fc.Arbitrary<infer T> ? T : never;
