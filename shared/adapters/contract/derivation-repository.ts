import type { Ports } from '@svc/application/ports/ports.ts';
import { mergeFindings } from '@svc/application/report/merge-findings.ts';
import type { Actor } from '@svc/domain';
import type { LogCensus } from '@svc/engine';
import { describe, expect, it } from 'vitest';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { silentLog } from '../testing/silent-log.ts';
import { account, at, jobFixture, outcome, type JobPorts, visitor } from './job-fixture.ts';

const census: LogCensus = {
  records: 5,
  kinds: [{ source: 'windows', channel: 'nul \u0000', provider: null, event: '1', count: 5 }],
  kindsTotal: 1,
  hosts: { frequent: [{ value: 'ws1', count: 5 }], total: 1, isPart: false },
  accounts: null,
  undated: 0,
  first: '2026-08-01T10:00:00.000Z',
  last: '2026-08-01T11:00:00.000Z',
  gaps: null,
  rules: { total: 3, reading: 1 },
};
const kept = { ...census, kinds: [{ ...census.kinds[0]!, channel: 'nul \uFFFD' }] };

/** What the repository of derived data does; `make` gives empty repositories with workflows. */
export function derivationRepositoryContract(make: () => Promise<JobPorts & Pick<Ports, 'derivations'>>): void {
  describe('what was derived from matched events', () => {
    let ports: JobPorts & Pick<Ports, 'derivations'>;
    const { running, begin, userNamed } = jobFixture(async () => (ports = await make()));
    const seen = (viewer: Actor, most = 10) => ports.derivations.kindsSeenBy(viewer, most);
    const analysed = async (channel: string, job: object) => {
      const id = await running('claim', { job });
      const [task = 0] = await begin(id);
      const kinds = ['1', '2', '1'].map((event) => ({ ...census.kinds[0]!, channel, event }));
      await ports.results.finishTask(task, outcome({ derived: derived({ census: { ...census, kinds } }) }), at);
    };

    it('is stored with the findings that it names', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const found = derived();
      await ports.results.finishTask(task, outcome({ derived: found }), at);
      expect(await ports.derivations.analytics(id)).toEqual({
        events: 2,
        eventsCapped: false,
        hours: [{ hour: '2026-08-01T10', tactics: { execution: 2 } }],
        entities: found.entities,
        entitiesTruncated: false,
        threats: found.threats,
      });
      const [row] = (await ports.findings.page(id, { severity: null, page: 1, per: 10 })).findings;
      const { ruleId, ruleName, severity } = finding();
      expect(await ports.derivations.alerts(id)).toEqual({
        v: 1,
        res: 1,
        ts: [1_785_579_300],
        k: [0],
        n: [2],
        keys: [[ruleId, ruleName, severity, 'execution', 0, 0, row?.id]],
        computers: ['ws1.example.org'],
        tools: ['sigma-native'],
        total: 2,
        undated: 1,
        source_truncated: false,
      });
      const [root] = found.processes.roots;
      const { rules: _none, ...parent } = root!;
      const { rules: _first, ...child } = root!.children[0]!;
      expect(await ports.derivations.processes(id)).toEqual({
        ...found.processes,
        roots: [{ ...parent, findings: [], children: [{ ...child, findings: [row?.id] }] }],
      });
      expect(await ports.findings.tagCounts(id)).toEqual([{ tags: finding().tags, count: 1 }]);
    });

    it('names the findings that stand for those of the engine that it is of', async () => {
      const id = await running();
      const [other = 0, native = 0] = await begin(id, ['evtx-hunt', 'sigma-native']);
      const found = derived();
      await ports.results.finishTask(other, outcome({ derived: found }), at);
      await ports.results.finishTask(native, outcome(), at);
      await mergeFindings({ ...ports, log: silentLog }, id);
      const [lead] = await ports.findings.ofTask(native);
      expect((await ports.derivations.alerts(id))?.keys.map((key) => key.at(-1))).toEqual([lead!.id]);
      const [root] = (await ports.derivations.processes(id))!.roots;
      expect(root!.children[0]).toMatchObject({ findings: [lead!.id] });
    });

    it('has what is in the log, and keeps that when the rest is derived again from matched events', async () => {
      const id = await running();
      expect(await ports.derivations.census(id)).toBeNull();
      const [task = 0] = await begin(id);
      await ports.results.finishTask(task, outcome({ derived: derived({ census }) }), at);
      expect(await ports.derivations.census(id)).toEqual(kept);
      const { findings } = await ports.findings.page(id, { severity: null, page: 1, per: 10 });
      const anew = { derived: derived({ events: 7 }), engine: 'sigma-native', findings };
      expect(await ports.derivations.replace({ id: task, jobId: id }, anew)).toBe(true);
      expect(await ports.derivations.census(id)).toEqual(kept);
      expect((await ports.derivations.analytics(id))?.events).toBe(7);
      await ports.derivations.keepCensus(task, { ...census, records: 9, rules: null });
      expect(await ports.derivations.census(id)).toEqual(kept);
    });

    it('tells the kinds of records of the newest jobs that a viewer may see', async () => {
      const owner = account(await userNamed('ada@example.org'));
      await analysed('Security', {});
      await analysed('Secret', { isPrivate: true, submittedBy: owner.kind === 'account' ? owner.userId : null });
      const shared = ['1', '2'].map((event) => ({ source: 'windows', channel: 'Security', provider: null, event }));
      expect((await seen(visitor)).kinds.toSorted((a, b) => Number(a.event) - Number(b.event))).toEqual(shared);
      expect((await seen(account(await userNamed('other@example.org'), 'member'))).jobs).toBe(1);
      expect(await seen(owner)).toMatchObject({ jobs: 2, kinds: { length: 4 } });
      expect(
        (await seen(account(await userNamed('root@example.org'), 'admin'), 1)).kinds.map(({ channel }) => channel),
      ).toEqual(['Secret', 'Secret']);
    });

    it('keeps what is in a log that was counted later', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      await ports.results.finishTask(task, outcome({ derived: derived() }), at);
      await ports.derivations.keepCensus(task, { ...census, rules: null });
      expect(await ports.derivations.census(id)).toEqual({ ...kept, rules: null });
    });

    it('is replaced by the next attempt, and is nothing where nothing was derived', async () => {
      const id = await running();
      const [first = 0] = await begin(id);
      await ports.results.finishTask(first, outcome({ derived: derived() }), at);
      const [second = 0] = await begin(id);
      expect(await ports.derivations.analytics(id)).toBeNull();
      await ports.results.finishTask(second, outcome(), at);
      expect(await ports.derivations.analytics(id)).toBeNull();
      expect(await ports.derivations.alerts(id)).toBeNull();
      expect(await ports.derivations.processes(id)).toBeNull();
    });

    it('takes whatever a log contains', async () => {
      const id = await running();
      const [task = 0] = await begin(id);
      const nasty = 'nul \u0000, half \ud800';
      const entities = { ...derived().entities, user: [{ value: nasty, count: 1 }] };
      const { alerts } = derived();
      const markers = [{ ...alerts.markers[0]!, computer: null }];
      const odd = derived({ entities, alerts: { ...alerts, markers } });
      await ports.results.finishTask(task, outcome({ derived: odd }), at);
      expect((await ports.derivations.analytics(id))?.entities.user[0]?.value).toContain('nul \uFFFD');
      expect((await ports.derivations.alerts(id))?.keys[0]?.[4]).toBe(-1);
    });
  });
}
