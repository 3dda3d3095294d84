import { deleteOne } from '@svc/application/jobs/delete-job.ts';
import { storeIntel, storeMany, storeWaitingIntel } from '@svc/application/intel/store-intel.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { entity, intel, intelFixture, plain } from './intel-fixture.ts';
import { at } from './job-fixture.ts';

/** What jobs name, over all of them; `make` gives the ports of two processes and their database. */
export function intelContract(make: () => Promise<readonly [Ports, Ports]>, database: () => Database): void {
  describe('what jobs name', () => {
    const { processes, running, ended, endedAs, rows, all, wrong } = intelFixture(make, database);
    let ports: Ports;
    let other: Ports;
    beforeEach(() => void ([ports, other] = processes()));

    const idOf = async (value: string): Promise<number> =>
      (await rows<{ id: number }>(sql`select id from entities where value = ${value}`))[0]?.id ?? 0;

    /** All that is stored, by what it is of instead of by ids. */
    const state = async () => [
      await rows(sql`
        select type, value_key, job_count, first_seen_at, last_seen_at, found, attributes from entities order by 2, 1`),
      await rows(sql`
        select l.job_id, e.value_key, l.occurrence_count, l.is_counted from entity_job_links l
        join entities e on e.id = l.entity_id order by 1, 2`),
      await rows(sql`
        select f.finding_id, e.value_key from entity_findings f join entities e on e.id = f.entity_id order by 1, 2`),
      await rows(sql`
        select s.value_key, t.value_key as other, r.type, r.occurrence_count, r.first_seen_at, r.last_seen_at,
          v.job_id, v.occurrence_count as shown, v.seen_at, v.sample_events
        from relationships r join relationship_evidence v on v.relationship_id = r.id
        join entities s on s.id = r.source_id join entities t on t.id = r.target_id order by 1, 2, 3, v.job_id`),
    ];

    const feeds = (privateJobsFeedIntel: boolean) => ports.settings.change({ privateJobsFeedIntel });

    it('is of a private job no more than links to what others name, where the site says so', async () => {
      await feeds(false);
      const hidden = await endedAs({ isPrivate: true }, [intel()]);
      expect(await storeIntel(ports, hidden)).toEqual({ entities: 0, relationships: 0 });
      expect(await all()).toEqual([]);
      const [alice, , address] = intel().entities;
      const shared = await ended(intel({ entities: [alice!, address!], findings: [], relationships: [] }));
      await storeIntel(ports, shared);
      const known = [
        { type: 'ip_address', value: '10.0.0.1', job_count: 1 },
        { type: 'user', value: 'Alice', job_count: 1 },
      ];
      const linked = () =>
        rows(sql`
          select l.job_id, array_agg(e.value order by e.value) as names from entity_job_links l
          join entities e on e.id = l.entity_id group by 1 order by 1`);
      const both = [
        { job_id: hidden, names: ['10.0.0.1', 'Alice'] },
        { job_id: shared, names: ['10.0.0.1', 'Alice'] },
      ];
      expect(await storeIntel(ports, hidden)).toEqual({ entities: 2, relationships: 0 });
      expect(await all()).toEqual(known);
      expect(await linked()).toEqual(both);
      expect(
        await rows(
          sql`select e.value, f.job_id from entity_findings f join entities e on e.id = f.entity_id where f.job_id = ${hidden}`,
        ),
      ).toEqual([{ value: '10.0.0.1', job_id: hidden }]);
      expect(await wrong()).toEqual([]);

      // Stored anew after the site has changed its mind, and once more.
      await feeds(true);
      expect(await storeIntel(ports, hidden)).toEqual({ entities: 3, relationships: 1 });
      expect((await all()).map((one) => one.job_count)).toEqual([2, 2, 1]);
      expect(await wrong()).toEqual([]);
      await feeds(false);
      expect(await storeIntel(ports, hidden)).toEqual({ entities: 2, relationships: 0 });
      expect(await all()).toEqual(known);
      expect(await linked()).toEqual(both);
      expect(await rows(sql`select id from relationships`)).toEqual([]);
      expect(await wrong()).toEqual([]);
      await deleteOne(ports, shared, null);
      expect(await all()).toEqual([]);
      await deleteOne(ports, hidden, null);
      expect(await wrong()).toEqual([]);
    });

    it('is stored with its links, findings, relationships and evidence', async () => {
      const id = await ended(intel());
      expect(await storeIntel(ports, id)).toEqual({ entities: 3, relationships: 1 });
      expect(await all()).toEqual([
        { type: 'ip_address', value: '10.0.0.1', job_count: 1 },
        { type: 'user', value: 'Alice', job_count: 1 },
        { type: 'executable', value: 'powershell.exe', job_count: 1 },
      ]);
      expect(
        await rows(sql`
          select e.value, l.occurrence_count from entity_job_links l join entities e on e.id = l.entity_id
          where l.job_id = ${id} order by e.value_key`),
      ).toEqual([
        { value: '10.0.0.1', occurrence_count: 2 },
        { value: 'Alice', occurrence_count: 7 },
        { value: 'powershell.exe', occurrence_count: 5 },
      ]);
      const [found] = await ports.findings.withEvents(id);
      expect(
        await rows(sql`
          select e.value, f.finding_id, f.job_id from entity_findings f join entities e on e.id = f.entity_id order by 1`),
      ).toEqual([
        { value: '10.0.0.1', finding_id: found?.id, job_id: id },
        { value: 'powershell.exe', finding_id: found?.id, job_id: id },
      ]);
      expect(
        await rows(sql`
          select r.type, r.occurrence_count::integer as total, v.occurrence_count, v.failed_count, v.sample_events,
            extract(epoch from v.observed_from)::float8 as since, v.observed_to as until
          from relationships r join relationship_evidence v on v.relationship_id = r.id`),
      ).toEqual([
        {
          type: 'runs_as',
          total: 4,
          occurrence_count: 4,
          failed_count: 1,
          sample_events: [{ UtcTime: '2026-07-30 08:01:11.402', Image: 'C:\\powershell.exe\uFFFD' }],
          since: 1_785_398_471.402,
          until: null,
        },
      ]);
      const address = await ports.entities.get(await idOf('10.0.0.1'));
      expect(address).toMatchObject({ attributeKeys: ['rfc1918', 'private'], firstSeenAt: at, lastSeenAt: at });
      expect(await rows(sql`select encode(ip_key, 'hex') as key from entities where ip_key is not null`)).toEqual([
        { key: '00000000000000000000ffff0a000001' },
      ]);
      expect(await wrong()).toEqual([]);
    });

    it('is one for all spellings of one thing, and for all tasks of one job', async () => {
      const more = intel({
        entities: [entity('user', 'ALICE', 9), entity('task', 'x'.repeat(600)), entity('user', 'alice', 2)],
      });
      const id = await ended(intel(), { ...more, findings: [{ rule: 0, entities: [0] }], relationships: [] });
      await storeIntel(ports, id);
      expect((await all()).map(({ value }) => value)).toEqual(['10.0.0.1', 'Alice', 'powershell.exe', 'x'.repeat(500)]);
      // Both tasks read the same log; within one, the spellings are added up.
      expect(
        await rows(sql`select occurrence_count from entity_job_links where entity_id = ${await idOf('Alice')}`),
      ).toEqual([{ occurrence_count: 11 }]);
      expect(await rows(sql`select 1 from entity_findings where entity_id = ${await idOf('Alice')}`)).toHaveLength(1);
    });

    it('is stored once, however often that is done', async () => {
      const id = await ended(intel());
      for (const by of [ports, other, ports]) await storeIntel(by, id);
      expect((await all()).map((one) => one.job_count)).toEqual([1, 1, 1]);
      expect(await rows(sql`select 1 from relationship_evidence`)).toHaveLength(1);
      expect(await wrong()).toEqual([]);
    });

    it('is the same of jobs stored together as of one after another', async () => {
      const [alice, program] = intel().entities;
      const own = intel({ entities: [entity('user', 'ALICE', 3), entity('domain', 'own.example')], findings: [] });
      const less = intel({ entities: [entity('user', 'alice', 2), program!], relationships: [] });
      const ids = [
        await endedAs({ isPrivate: true }, [own]),
        await ended(intel()),
        await ended({ ...less, findings: [{ rule: 0, entities: [0, 1] }] }),
        await endedAs({ isPrivate: true }, [{ ...own, findings: [{ rule: 0, entities: [0, 1] }] }]),
        await ended(intel({ entities: [alice!, program!, entity('domain', 'other.example')], findings: [] })),
      ];
      await database().execute(sql`update jobs set finished_at = finished_at + (3 - id % 5) * interval '1 hour'`);
      const oneByOne = async () => {
        await database().execute(sql`with gone as (delete from entities) delete from entity_totals`);
        // Once more, since a private job is linked to what jobs after it name, too.
        for (const id of [...ids, ...ids]) await storeIntel(ports, id);
        return state();
      };
      for (const isFed of [true, false]) {
        await feeds(isFed);
        const expected = await oneByOne();
        expect(await storeMany(ports, ids)).toBe(5);
        expect(await state()).toEqual(expected);
        await database().execute(sql`with gone as (delete from entities) delete from entity_totals`);
        for (const some of [ids, ids, ids.slice(1, 3)]) await storeMany(ports, some);
        expect(await state()).toEqual(expected);
        expect(await wrong()).toEqual([]);
        // Stored when the site said the contrary.
        await feeds(!isFed);
        await storeMany(ports, ids);
        expect(await wrong()).toEqual([]);
        await feeds(isFed);
        await storeMany(ports, ids);
        expect((await state())[1]).toEqual(expected[1]);
        expect(await wrong()).toEqual([]);
      }
    });

    it('gives way to what is derived anew, and what no job names goes with what hangs on it', async () => {
      const [first, second] = [await ended(intel()), await ended(intel())];
      for (const id of [first, second]) await storeIntel(ports, id);
      const address = await idOf('10.0.0.1');
      const less = intel({ entities: intel().entities.slice(0, 2), findings: [], relationships: [] });
      const replace = (id: number) =>
        ports.transaction(async (tx) => {
          await tx.jobs.hold([id]);
          return tx.intel.replace([{ jobId: id, intel: { ...less, findings: [] }, at, isLocal: false }], plain);
        });
      await replace(first);
      expect(await ports.entities.get(address)).toMatchObject({ jobCount: 1 });
      expect(await wrong()).toEqual([]);
      await replace(second);
      expect(await ports.entities.get(address)).toBeNull();
      expect(await rows(sql`select 1 from relationships`)).toEqual([]);
      expect(await wrong()).toEqual([]);
    });

    it('goes with its last job', async () => {
      const [first, second] = [await ended(intel()), await ended(intel())];
      for (const id of [first, second]) await storeIntel(ports, id);
      await deleteOne(ports, first, null);
      expect((await all()).map((one) => one.job_count)).toEqual([1, 1, 1]);
      expect(await rows(sql`select occurrence_count::integer as total from relationships`)).toEqual([{ total: 4 }]);
      await deleteOne(ports, second, null);
      expect(await all()).toEqual([]);
      for (const table of ['entity_search', 'entity_findings', 'entity_job_links', 'relationships']) {
        expect([table, await rows(sql.raw(`select 1 from ${table}`))]).toEqual([table, []]);
      }
    });

    it('is stored later where no worker lived to do it, and where an earlier version kept no more than analytics', async () => {
      const [killed, earlier] = [await ended(intel()), await ended(intel())];
      await database().execute(sql`update task_derivations set intel = null where job_id = ${earlier}`);
      const alive = await running();
      expect(await ports.intel.waiting({ under: null, limit: 10 })).toEqual([earlier, killed]);
      expect(await storeWaitingIntel(ports)).toBe(2);
      expect(await ports.intel.waiting({ under: null, limit: 10 })).toEqual([]);
      expect(await storeIntel(ports, alive)).toBeNull();
      // Of the analytics: bob, alice, ws1.example.org and powershell.exe; the finding's sample event names the computer.
      expect(await ports.entities.get(await idOf('bob'))).toMatchObject({ jobCount: 1 });
      expect(await ports.entities.get(await idOf('powershell.exe'))).toMatchObject({ jobCount: 2 });
      expect(await wrong()).toEqual([]);
    });
  });
}
