import { beginTasks } from '@svc/application/analysis/begin-tasks.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { mergeFindings } from '@svc/application/report/merge-findings.ts';
import { describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { silentLog } from '../testing/silent-log.ts';
import { account, at, outcome, visitor, jobFixture, type JobPorts } from './job-fixture.ts';

/** What the repositories of results and findings do; `make` gives empty ones with workflows. */
export function resultRepositoryContract(make: () => Promise<JobPorts>): void {
  describe('results of jobs', () => {
    let ports: JobPorts;
    const { submit, running, begin, userNamed } = jobFixture(async () => (ports = await make()));

    describe('results', () => {
      it('replace what an earlier attempt left', async () => {
        const id = await running();
        const [first = 0] = await begin(id);
        await ports.results.finishTask(first, outcome({ findings: [finding(), finding({ ruleId: 'b' })] }), at);
        const [second = 0] = await begin(id);
        await ports.results.finishTask(second, outcome(), at);
        await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'claim' });
        expect(await ports.findings.withEvents(id)).toHaveLength(1);
        expect(await ports.jobViews.tasks(id)).toHaveLength(1);
        expect((await ports.jobs.get(id))?.job).toMatchObject({
          totalFindings: 1,
          distinctRules: 1,
          scoreRatio: '1/1',
        });
      });

      it('are as many as an engine finds, each with its own events and raw outputs', async () => {
        const id = await running();
        const [task = 0] = await begin(id);
        const many = Array.from({ length: 3000 }, (_, index) => {
          const [event] = finding().events;
          const events = [{ ...event!, recordId: `record ${index}` }];
          return finding({ ruleId: `rule ${index}`, ruleName: `Rule ${index}`, severity: 'low', events });
        });
        const raw = Array.from({ length: 300 }, (_, index) => ({
          name: `output ${index}`,
          storageKey: `outputs/${index}`,
          sizeBytes: index,
          isComplete: true,
        }));
        await ports.results.finishTask(task, outcome({ findings: many, rawOutputs: raw }), at);
        const stored = await ports.findings.withEvents(id);
        expect(stored.map(({ ruleId, events }) => [ruleId, events[0]?.recordId])).toEqual(
          many.map((_, index) => [`rule ${index}`, `record ${index}`]),
        );
        const ids = stored.map((one) => one.id);
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        const ofRow = await ports.findings.events(ids[2999]!);
        expect(ofRow).toMatchObject([{ recordId: 'record 2999' }]);
      });

      it('add up over tasks when the job ends, however it ends', async () => {
        const id = await running();
        const [one = 0, two = 0, three = 0] = await begin(id, ['a', 'b', 'c']);
        const severe = finding({ ruleId: 'r2', severity: 'critical', count: 5, firstSeen: null, lastSeen: null });
        const early = finding({
          firstSeen: '2026-07-31T00:00:00Z',
          lastSeen: '2026-08-01T10:15:00.7500001Z',
          count: 3,
        });
        await ports.results.finishTask(one, outcome({ findings: [early, severe] }), at);
        await ports.results.finishTask(two, outcome({ findings: [finding({ count: 2 })] }), at);
        const error = { code: 'worker_lost_startup', message: 'lost' } as const;
        await moveJob(ports, id, { from: 'running', to: 'failed', at, error });
        expect((await ports.jobs.get(id))?.job).toMatchObject({
          totalFindings: 10,
          distinctRules: 2,
          severitySummary: { critical: 5, high: 5, medium: 0, low: 0, informational: 0 },
          scoreRatio: '2/3',
        });
        const view = await ports.jobViews.get(visitor, id);
        expect(view).toMatchObject({
          firstEventAt: '2026-07-31T00:00:00Z',
          lastEventAt: '2026-08-01T10:15:00.7500001Z',
        });
        expect((await ports.jobViews.tasks(id)).at(2)).toMatchObject({
          id: three,
          status: 'failed',
          errorMessage: 'lost',
        });
      });

      it('of a rule that several engines found are one finding, which all figures go by', async () => {
        const id = await running();
        const [one = 0, two = 0] = await begin(id, ['sigma-native', 'evtx-hunt']);
        const [event] = finding().events;
        const matching = (records: readonly string[], over: object = {}) =>
          finding({ count: records.length, events: records.map((recordId) => ({ ...event!, recordId })), ...over });
        await ports.results.finishTask(one, outcome({ findings: [matching(['1', '2'])] }), at);
        const other = { severity: 'low', hosts: ['other'], lastSeen: '2026-08-02T00:00:00Z' };
        await ports.results.finishTask(two, outcome({ findings: [matching(['2', '3'], other)] }), at);
        const ofOne = async (task: number) => (await ports.findings.ofTask(task))[0]!.id;
        const [lead, member] = [await ofOne(one), await ofOne(two)];
        await mergeFindings({ ...ports, log: silentLog }, id);
        await moveJob(ports, id, { from: 'running', to: 'completed', at, claim: 'claim' });
        const parts = [
          { findingId: lead, engine: 'sigma-native', count: 2, kept: 2 },
          { findingId: member, engine: 'evtx-hunt', count: 2, kept: 2 },
        ];
        const merged = { id: lead, count: 3, severity: 'high', hosts: ['other', 'ws1.example.org'], parts };
        const page = await ports.findings.page(id, { severity: null, page: 1, per: 9 });
        expect(page).toMatchObject({ total: 1, findings: [{ ...merged, lastSeen: other.lastSeen }] });
        expect(await ports.findings.withEvents(id)).toMatchObject([{ ...merged, events: [{}, {}, {}] }]);
        const engines = (await ports.findings.ofEngines(id)).map((row) => [row.id, row.engine, row.count, row.kept]);
        expect(engines).toEqual([
          [lead, 'sigma-native', 2, 2],
          [member, 'evtx-hunt', 2, 2],
        ]);
        const recordsOf = async (row: number) => (await ports.findings.events(row)).map(({ recordId }) => recordId);
        expect([await recordsOf(lead), await recordsOf(member)]).toEqual([
          ['1', '2', '3'],
          ['2', '3'],
        ]);
        expect((await ports.findings.eventsOf([lead])).get(lead)).toHaveLength(2);
        expect(await ports.findings.tagCounts(id)).toMatchObject([{ count: 3 }]);
        expect(await ports.findings.matchedRules([id])).toMatchObject([{ places: [{ findingId: lead, count: 3 }] }]);
        expect(await ports.findings.firedIn(visitor, finding().ruleId!, 9)).toMatchObject([{ jobId: id, count: 3 }]);
        expect((await ports.jobs.get(id))?.job).toMatchObject({
          totalFindings: 3,
          distinctRules: 1,
          severitySummary: { high: 3, low: 0 },
          scoreRatio: '2/2',
        });
        // What is merged already is merged again.
        await mergeFindings({ ...ports, log: silentLog }, id);
        expect(await ports.findings.withEvents(id)).toMatchObject([merged]);
      });

      it('leave skipped and cancelled tasks out of the ratio', async () => {
        const id = await running();
        const skipped = { engine: 'b', status: 'skipped', errorMessage: 'not supported', bytesTotal: 9 } as const;
        const pending = { engine: 'a', status: 'pending', errorMessage: null, bytesTotal: 9 } as const;
        const [one = 0, , three = 0] =
          (await beginTasks(ports, { id, claim: 'claim' }, [pending, skipped, pending], at)) ?? [];
        await ports.results.startTask(one, at);
        await ports.results.finishTask(one, outcome({ findings: [] }), at);
        await moveJob(ports, id, { from: 'running', to: 'cancelled', at });
        expect((await ports.jobs.get(id))?.job.scoreRatio).toBe('0/1');
        const tasks = await ports.jobViews.tasks(id);
        expect(tasks.map(({ status }) => status)).toEqual(['completed', 'skipped', 'cancelled']);
        expect(tasks.at(1)).toMatchObject({ errorMessage: 'not supported', bytesTotal: null });
        expect(tasks.at(2)?.id).toBe(three);
      });

      it('show progress while a task runs, all of it when it has ended, and none after', async () => {
        const id = await running();
        const [task = 0] = await begin(id);
        await ports.results.saveProgress(task, 40);
        expect((await ports.jobViews.tasks(id))[0]).toMatchObject({
          status: 'running',
          bytesDone: 40,
          bytesTotal: 100,
        });
        await ports.results.finishTask(task, outcome({ events: 12, warnings: ['a damaged chunk'] }), at);
        await ports.results.saveProgress(task, 50);
        expect((await ports.jobViews.tasks(id))[0]).toMatchObject({
          status: 'completed',
          bytesDone: 100,
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
          hosts: [nasty],
          ruleName: `${nasty}${'x'.repeat(600)}`,
          events,
          tags: [nasty],
          ruleSource: nasty,
        });
        expect(await ports.results.finishTask(task, outcome({ findings: [odd], logOutput: nasty }), at)).toBe(true);
        const [stored] = await ports.findings.withEvents(id);
        expect(stored).toMatchObject({ ruleId: null, tags: [kept], hosts: [kept] });
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

      it('keep the fields of their events in the order of the log', async () => {
        const id = await running();
        const [task = 0] = await begin(id);
        const [event] = finding().events;
        const fields = { Image: 'a', EventRecordID: 1, A: ['x'], CommandLine: 'b', User: 'c' };
        await ports.results.finishTask(task, outcome({ findings: [finding({ events: [{ ...event!, fields }] })] }), at);
        const [stored] = await ports.findings.withEvents(id);
        const texts = [
          stored!.events,
          await ports.findings.events(stored!.id),
          await ports.findings.sampleEvents(id, 9),
        ];
        for (const [one] of texts) expect(JSON.stringify(one?.fields)).toBe(JSON.stringify(fields));
      });

      it('give their sample events, those of the worst first, and no more findings’ than are asked for', async () => {
        const id = await running();
        const [task = 0] = await begin(id);
        const [event] = finding().events;
        const some = (count: number) =>
          Array.from({ length: 3 }, (_, nth) => ({ ...event!, recordId: `${count}-${nth}` }));
        const found = [
          finding({ severity: 'low', count: 9, events: some(9) }),
          finding({ severity: 'high', count: 1, events: some(1) }),
          finding({ severity: 'high', count: 2, events: [] }),
          finding({ severity: 'high', count: 3, events: some(3) }),
        ];
        await ports.results.finishTask(task, outcome({ findings: found }), at);
        const sampled = async (most: number) =>
          (await ports.findings.sampleEvents(id, most)).map(({ recordId }) => recordId).join(' ');
        expect(await sampled(100)).toBe('3-0 3-1 3-2 1-0 1-1 1-2 9-0 9-1 9-2');
        expect(await sampled(4)).toBe('3-0 3-1 3-2 1-0 1-1 1-2');
        expect(await sampled(3)).toBe('3-0 3-1 3-2');
        expect(await ports.findings.sampleEvents(id + 1, 100)).toEqual([]);
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
        expect(await ports.findings.get(account(await userNamed('boss@example.org'), 'admin'), id)).toMatchObject({
          id,
        });
      });
    });
  });
}
