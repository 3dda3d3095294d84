import { moveJob } from '@svc/application/analysis/move-job.ts';
import { drainHappenings } from '@svc/application/happenings/drain-happenings.ts';
import { storeIntel, storeWaitingIntel } from '@svc/application/intel/store-intel.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import {
  entityAttributeKey,
  listMatcher,
  meetsEntitySearch,
  parseEntitySearch,
  type EntityType,
  type Role,
} from '@svc/domain';
import { asc, eq, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { rowsOf } from '../postgres/rows-of.ts';
import { alertRules, entityAlerts, jobAlerts, siteSettings, webhookDeliveries } from '../postgres/schema/index.ts';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { namedEntities, rulesOnEntities } from './alert-arbitraries.ts';
import { insertRule } from './alert-rule-row.ts';
import { at, jobFixture, outcome, visitor } from './job-fixture.ts';
import type { Runs } from './runs.ts';

type Named = readonly (readonly [EntityType, string])[];

const things: Named = [
  ['user', 'CORP\\admin_1'],
  ['user', 'alice'],
  ['computer', 'WS01'],
  ['ip_address', '10.0.0.7'],
  ['ip_address', '203.0.113.9'],
  ['hash', 'ab'.repeat(16)],
  ['executable', 'certutil.exe'],
  ['executable', 'admin.exe'],
  ['domain', 'evil.example'],
];

const tag = (name: string) => ({ actionTags: [{ name, color: 'red' }] });

/** What rules do over jobs that end; `make` gives the ports of two processes and their database. */
export function alertEvaluationContract(
  make: () => Promise<readonly [Ports, Ports]>,
  database: () => Database,
  runs: Runs,
): void {
  const rule = (over: Partial<typeof alertRules.$inferInsert> = {}) => insertRule(database(), over);
  const alerts = () =>
    rowsOf<{ rule: number; value: string; open: boolean }>(
      database(),
      sql`select a.rule_id as rule, e.value, a.acknowledged_at is null as open from ${entityAlerts} a
          join entities e on e.id = a.entity_id order by a.rule_id, e.value_key`,
    );
  const deliveries = () => database().select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.ruleId));
  const of = async (id: number) => (await database().select().from(alertRules).where(eq(alertRules.id, id)))[0]!;
  const tags = async (): Promise<Record<string, string[]>> => {
    const rows = await rowsOf<{ value: string; name: string }>(
      database(),
      sql`select e.value, t.name from entity_tags l join entities e on e.id = l.entity_id join tags t on t.id = l.tag_id
          order by e.value_key, t.name`,
    );
    const found: Record<string, string[]> = {};
    for (const { value, name } of rows) (found[value] ??= []).push(name);
    return found;
  };

  describe('rules over a job', () => {
    let ports: Ports;
    const { submit, begin, userNamed } = jobFixture(async () => ([ports] = await make())[0]);

    const person = async (email: string, role: Role = 'member'): Promise<string> => {
      const id = await userNamed(email);
      await ports.accounts.update(id, { role });
      return id;
    };
    const hooked = { webhookUrl: 'https://hooks.example', webhookEnabled: true } as const;
    /** A job that has ended; what it names is still to be stored. */
    async function ended(
      named: Named = things,
      over: object = {},
      to: 'completed' | 'partial' | 'failed' = 'completed',
    ) {
      const { job } = await submit({ job: over });
      await ports.jobs.claim(job.id, 'claim', at);
      const [task = 0] = await begin(job.id);
      const entities = named.map(([type, value]) => ({ type, value, count: 1 }));
      const intel = { entities, findings: [{ rule: 0, entities: [0] }], relationships: [], isTruncated: false };
      await ports.results.finishTask(task, outcome({ findings: [finding()], derived: derived({ intel }) }), at);
      await moveJob(ports, job.id, { from: 'running', to, at, claim: 'claim' });
      return job.id;
    }
    async function stored(...job: Parameters<typeof ended>): Promise<number> {
      const id = await ended(...job);
      await storeIntel(ports, id);
      await drainHappenings(ports);
      return id;
    }
    it('run once what the job names is stored, and once only', async () => {
      const owner = await person('owner@example.org');
      const alerting = await rule({ ownerId: owner, query: 'admin', notifies: true, ...hooked });
      const id = await ended();
      await drainHappenings(ports);
      expect(await alerts()).toEqual([]);
      await storeIntel(ports, id);
      await drainHappenings(ports);
      const found = [
        { rule: alerting, value: 'admin.exe', open: true },
        { rule: alerting, value: 'CORP\\admin_1', open: true },
      ];
      expect(await alerts()).toEqual(found);
      const [delivery, ...others] = await deliveries();
      expect([others, delivery]).toEqual([
        [],
        expect.objectContaining({ jobId: id, event: 'rule.match', matchCount: 2, state: 'queued' }),
      ]);
      expect(await of(alerting)).toMatchObject({ matchCount: 2, lastEvaluatedAt: at, lastMatchedAt: at });
      // Stored again, as backfills and later versions do it.
      const later = await rule({ ownerId: owner, query: 'alice', notifies: true });
      await storeIntel(ports, id);
      await drainHappenings(ports);
      expect([await alerts(), await deliveries(), (await of(later)).lastEvaluatedAt]).toEqual([
        found,
        [delivery],
        null,
      ]);
    });

    it('wait for what a worker has left, and run over partial jobs and not over failed ones', async () => {
      const owner = await person('owner@example.org');
      await rule({ ownerId: owner, query: 'in:(ws01)', notifies: true });
      for (const to of ['partial', 'failed'] as const) await ended(things, {}, to);
      await drainHappenings(ports);
      expect(await storeWaitingIntel(ports)).toBe(2);
      await drainHappenings(ports);
      expect(await alerts()).toHaveLength(1);
    });

    it('are looked at as earlier ones of the pass have left things', async () => {
      await rule({ key: 'first', query: '*.exe$', ...tag('program') });
      await rule({ key: 'second', query: 'tag:program -admin', ...tag('odd/one') });
      await rule({ key: 'third', query: 'tag:odd/', entityTypes: ['executable'], ...tag('third') });
      await rule({ key: 'zeroth', query: 'tag:third', ...tag('never'), createdAt: new Date(at.getTime() - 1) });
      const job = await rule({ key: 'job', scope: 'job', query: 'tag:one', ...tag('two') });
      await rule({ key: 'one', scope: 'job', query: '-tag:two', ...tag('one'), createdAt: new Date(at.getTime() - 1) });
      const id = await stored();
      expect(await tags()).toEqual({ 'admin.exe': ['program'], 'certutil.exe': ['odd/one', 'program', 'third'] });
      expect((await ports.tags.ofJob(id)).map(({ name }) => name)).toEqual(['one', 'two']);
      expect((await of(job)).lastMatchedAt).toEqual(at);
      expect(await database().$count(jobAlerts)).toBe(0);
    });

    it('see no job that their owner could not open', async () => {
      const [owner, other, gone, admin] = [
        await person('owner@example.org'),
        await person('other@example.org'),
        await person('gone@example.org'),
        await person('admin@example.org', 'admin'),
      ];
      await ports.accounts.update(gone, { isActive: false });
      const user = await person('user@example.org', 'user');
      const rules = new Map<string, number>();
      for (const [who, ownerId] of Object.entries({ owner, other, gone, admin, user })) {
        rules.set(who, await rule({ ownerId, query: 'ws01', notifies: true }));
        rules.set(`${who} job`, await rule({ ownerId, scope: 'job', query: 'status:completed', notifies: true }));
      }
      rules.set('shared', await rule({ key: 'loud', query: 'ws01', notifies: true }));
      rules.set('silent', await rule({ key: 'silent', query: 'ws01', ...tag('seen') }));
      rules.set(
        'silent job',
        await rule({ key: 'silent_job', scope: 'job', query: 'status:completed', ...tag('done') }),
      );
      rules.set('shared job', await rule({ key: 'loud_job', scope: 'job', query: '', notifies: true }));
      const matched = async (): Promise<string[]> => {
        const names = [];
        for (const [name, id] of rules) if ((await of(id)).lastMatchedAt !== null) names.push(name);
        return names;
      };
      await stored(things, { isPrivate: true, submittedBy: owner });
      expect(await matched()).toEqual(['owner', 'owner job', 'admin', 'admin job', 'silent', 'silent job']);
      await stored();
      expect(await matched()).toEqual([
        'owner',
        'owner job',
        'other',
        'other job',
        'admin',
        'admin job',
        'shared',
        'silent',
        'silent job',
        'shared job',
      ]);
    });

    it('are asked by the view of their owner', async () => {
      const [owner, other] = [await person('owner@example.org'), await person('other@example.org')];
      const rules = [];
      for (const ownerId of [owner, other]) {
        rules.push(await rule({ ownerId, scope: 'job', query: 'is:mine', notifies: true, ...hooked }));
        rules.push(await rule({ ownerId, query: 'has:finding', entityTypes: ['user'], notifies: true }));
      }
      // Of another's private job, nobody else learns that it names a user in a finding.
      await stored([things[0]!], { isPrivate: true, submittedBy: other });
      await stored([things[1]!, things[0]!], { submittedBy: owner });
      const [mine, findings, yours, theirs] = rules as [number, number, number, number];
      expect((await alerts()).map(({ rule: by, value }) => [by, value])).toEqual([
        [findings, 'alice'],
        [theirs, 'alice'],
        [theirs, 'CORP\\admin_1'],
        [theirs, 'CORP\\admin_1'],
      ]);
      const jobRows = await database().select({ rule: jobAlerts.ruleId }).from(jobAlerts).orderBy(asc(jobAlerts.id));
      expect(jobRows.map((row) => row.rule)).toEqual([yours, mine]);
      expect(await deliveries()).toHaveLength(2);
    });

    it('are acknowledged at once when they only tell a webhook, and recorded not at all when they only tag', async () => {
      const owner = await person('owner@example.org');
      const told = await rule({ ownerId: owner, query: 'ws01', ...hooked });
      await rule({ ownerId: owner, query: 'ws01', ...tag('x') });
      await stored();
      expect(await alerts()).toEqual([{ rule: told, value: 'WS01', open: false }]);
      expect(await deliveries()).toHaveLength(1);
    });

    it('record a hundred matches each and tell fifty; those of the site tag more; what is cut is noted', async () => {
      const owner = await person('owner@example.org');
      const many = Array.from({ length: 130 }, (_, nth) => ['domain', `d${nth}.example`] as const);
      const own = await rule({ ownerId: owner, query: 'example', notifies: true, ...hooked, ...tag('own') });
      const site = await rule({ key: 'site', query: 'example', ...tag('site') });
      await stored([...many, ...things]);
      expect(await alerts()).toHaveLength(100);
      const delivery = (await deliveries())[0]!;
      expect([delivery.matchCount, (delivery.facts['entityIds'] as number[]).length]).toEqual([100, 50]);
      const given = Object.values(await tags());
      expect([given.filter((names) => names.includes('own')).length, given.length]).toEqual([100, 131]);
      expect([(await of(own)).lastTruncatedAt, (await of(site)).lastTruncatedAt]).toEqual([at, null]);
    });

    it('keep their budget for those whose types the job has', async () => {
      const owner = await person('owner@example.org');
      for (let nth = 0; nth < 210; nth += 1) await rule({ ownerId: owner, query: '', entityTypes: ['task'] });
      for (let nth = 0; nth < 200; nth += 1) await rule({ ownerId: owner, query: 'nothing' });
      const late = await rule({ ownerId: owner, query: 'ws01', notifies: true });
      await stored();
      expect([await alerts(), (await of(late)).lastEvaluatedAt]).toEqual([[], null]);
      await database().delete(alertRules).where(eq(alertRules.query, 'nothing'));
      await stored();
      expect((await alerts()).map((alert) => alert.rule)).toEqual([late]);
    });

    it('of a star match that entity alone, until somebody edits them', async () => {
      const owner = await person('owner@example.org');
      await stored([['ip_address', '10.0.0.1']]);
      const [followed] = await rowsOf<{ id: number }>(database(), sql`select id from entities`);
      const star = { ownerId: owner, entityTypes: ['ip_address' as const], notifies: true };
      const made = await rule({ ...star, query: '"10.0.0.1"', autoEntityId: followed!.id });
      await rule({ ...star, query: '"10.0.0.1"\n-"x"' });
      const found = async () => {
        await database().delete(entityAlerts);
        await stored([
          ['ip_address', '10.0.0.1'],
          ['ip_address', '10.0.0.12'],
        ]);
        return (await alerts()).filter((alert) => alert.rule === made).map(({ value }) => value);
      };
      expect([await found(), await database().$count(entityAlerts)]).toEqual([['10.0.0.1'], 3]);
      await database().update(alertRules).set({ query: '"10.0.0.1" -"x"' }).where(eq(alertRules.id, made));
      expect(await found()).toEqual(['10.0.0.1', '10.0.0.12']);
    });

    it('of which one cannot be run keep all others at work', async () => {
      const owner = await person('owner@example.org');
      await rule({ ownerId: owner, query: 'a OR re:/b/', notifies: true });
      const never = await rule({ ownerId: owner, query: 'first:<99999999w', notifies: true });
      await rule({ ownerId: owner, scope: 'job', query: 'nonsense:1', notifies: true });
      const good = await rule({ ownerId: owner, query: 'ws01', notifies: true });
      const job = await rule({ ownerId: owner, scope: 'job', query: 'findings:>0', notifies: true });
      const id = await stored();
      expect((await alerts()).map((alert) => alert.rule)).toEqual([good]);
      // What the database refuses, as no validator lets it pass.
      const conditions = [
        { key: 're', pattern: '(' },
        { key: 'type', values: ['user'] },
      ] as const;
      const wanted = conditions.map((condition) => ({ viewer: visitor, condition }));
      const [refused, found] = await ports.transaction((tx) => tx.ruleMatches.meeting({ jobId: id }, wanted, at));
      expect([refused, found]).toEqual([expect.any(Error), [expect.any(Number), expect.any(Number)]]);
      expect((await of(never)).matchCount).toBe(0);
      expect((await of(job)).matchCount).toBe(1);
    });

    it('of the site stand still when the site wants that', async () => {
      const [owner, shared] = [
        await person('owner@example.org'),
        await rule({ key: 'k', query: 'ws01', ...tag('site') }),
      ];
      await rule({ ownerId: owner, query: 'ws01', ...tag('own') });
      await database()
        .insert(siteSettings)
        .values({ name: 'builtinRulesEnabled', value: sql`'false'::jsonb` });
      await stored();
      expect([await tags(), (await of(shared)).lastEvaluatedAt]).toEqual([{ WS01: ['own'] }, null]);
    });

    it('match what a look at each entity matches, one rule after the other', async () => {
      const lists = await Promise.all(
        [
          { name: 'whole', match: 'exact' as const, values: ['ws01', 'evil.example', 'b.exe'] },
          { name: 'ends', match: 'suffix' as const, values: ['.exe', '0.7', 'min', 'nothing of it'] },
          { name: 'below', match: 'domain' as const, values: ['evil.example', 'exe', 'ample'] },
        ].map(async (list) => {
          await ports.ruleLists.add({ ...list, description: '', sourceUrl: null, refreshHours: 0 }, at);
          return { name: list.name, has: listMatcher(list) };
        }),
      );
      await fc.assert(
        fc.asyncProperty(namedEntities, rulesOnEntities, async (named, asked) => {
          await database().execute(sql`delete from jobs`);
          await database().execute(sql`delete from entities`);
          await database().delete(alertRules);
          for (const [nth, { query: text, types, tag: name }] of asked.entries()) {
            const createdAt = new Date(at.getTime() + nth);
            await rule({ key: `k${nth}`, query: text, entityTypes: types, ...tag(name), createdAt });
          }
          await stored(named);
          const expected = new Map(named.map((one) => [one.join(' '), new Set<string>()]));
          const computed = await rowsOf<{ what: string; keys: string[] }>(
            database(),
            sql`select type || ' ' || value as what, attribute_keys as keys from entities`,
          );
          const known = new Map(
            computed.map(({ what, keys }) => [what, keys.flatMap((key) => entityAttributeKey(key) ?? [])]),
          );
          for (const { query: text, types, tag: name } of asked) {
            const { root, isRefused } = parseEntitySearch(text);
            for (const [place, [type, value]] of named.entries()) {
              const carried = expected.get(`${type} ${value}`)!;
              const inLists = lists.filter(({ has }) => has(value)).map(({ name: list }) => list);
              const facts = {
                type,
                value,
                tags: [...carried],
                attributes: known.get(`${type} ${value}`)!,
                traits: place === 0 ? (['finding'] as const) : [],
                lists: inLists,
                jobCount: 1,
                lastSeenAt: at,
              };
              const meets = root === null || meetsEntitySearch(root, facts, at) === true;
              if (!isRefused && (types.length === 0 || types.includes(type)) && meets) carried.add(name);
            }
          }
          const rows = await rowsOf<{ what: string; names: string[] }>(
            database(),
            sql`select e.type || ' ' || e.value as what, array(select t.name from entity_tags l
                  join tags t on t.id = l.tag_id where l.entity_id = e.id) as names from entities e`,
          );
          const found = Object.fromEntries(rows.map(({ what, names: given }) => [what, given.sort()]));
          expect(found).toEqual(Object.fromEntries([...expected].map(([what, given]) => [what, [...given].sort()])));
        }),
        { numRuns: runs(40) },
      );
    });
  });
}
