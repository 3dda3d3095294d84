import { createAlertRule, changeAlertRule } from '@svc/application/alerts/save-alert-rule.ts';
import { beginBacktest, cancelBacktest, getBacktest, listBacktests } from '@svc/application/alerts/backtest-rule.ts';
import { deleteAlertRule } from '@svc/application/alerts/change-alert-rules.ts';
import { toggleStar } from '@svc/application/alerts/toggle-star.ts';
import { dryRunAlertRule, previewAlertRule } from '@svc/application/alerts/try-rule.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import { tagEntities } from '@svc/application/intel/tag-entities.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { listEntities } from '@svc/application/intel/list-entities.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { handleTask } from '@svc/application/work/handle-task.ts';
import { operations } from '@svc/contracts';
import {
  entityAttributeKey,
  entityTypes,
  meetsEntitySearch,
  parseEntitySearch,
  type Actor,
  type EntityAttributeKey,
} from '@svc/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityFixture, named } from './entity-fixture.ts';
import { account, at } from './job-fixture.ts';
import type { Runs } from './runs.ts';

/** Stars, and what rules would match, held against a look at each entity; `make` gives empty repositories with workflows. */
export function alertRulesContract(make: () => Promise<Ports>, runs: Runs): void {
  describe('what alert rules', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    const member = async (email: string): Promise<Actor & { readonly kind: 'account' }> => {
      const userId = await userNamed(email);
      await ports.accounts.update(userId, { role: 'member' });
      return account(userId, 'member') as Actor & { readonly kind: 'account' };
    };
    const analysed = async (places: readonly number[], over: object = {}): Promise<number> => {
      const id = await naming(places, over, 0);
      await moveJob(ports, id, { from: 'running', to: 'completed', at });
      return id;
    };
    const idOf = async (place: number): Promise<number> => {
      const [type, value] = named[place]!;
      return (await ports.entities.find({ type, value }))!;
    };
    const isWatched = async (id: number) => (await ports.entities.get(id))!.isWatched;
    const preview = (who: Actor, query: object) =>
      previewAlertRule(ports, who, operations.previewAlertRule.query.parse(query));
    const dryRun = (who: Actor, body: object) =>
      dryRunAlertRule(ports, who, operations.dryRunAlertRule.body.parse(body));

    it('find is what a look at each entity finds, now and in each of the last jobs', async () => {
      const [mine, yours] = [await member('mine@example.org'), await member('yours@example.org')];
      const viewers = [mine, yours, { ...yours, role: 'admin' as const }];
      const jobs = [
        { places: [0, 1, 2, 3, 6], by: null },
        { places: [3, 4, 5, 0], by: mine },
        { places: [8, 9, 0, 10], by: yours },
        // And whatever the other jobs do not name.
        { places: [7, 6, 2, ...[...named.keys()].slice(11)], by: null },
      ];
      const ids: number[] = [];
      for (const { places, by } of jobs)
        ids.push(await analysed(places, by === null ? {} : { submittedBy: by.userId, isPrivate: true }));
      const entityIds = await Promise.all(named.map((_, place) => idOf(place)));
      await tagEntities(ports, mine, { entity_ids: [entityIds[8]!, entityIds[2]!], tag: 'apt/28', color: [] });
      const everything = await Promise.all(entityIds.map(async (id) => (await ports.entities.get(id))!));
      const facts = everything.map((entity, place) => ({
        ...entity,
        tags: place === 8 || place === 2 ? ['apt/28'] : [],
        attributes: entity.attributeKeys.flatMap((key): EntityAttributeKey[] => {
          const known = entityAttributeKey(key);
          return known === null ? [] : [known];
        }),
      }));
      const terms = [
        'admin',
        '^a*',
        '*.exe$',
        'type:user',
        'tag:apt/',
        'attr:lolbin,rfc1918',
        'cidr:10.0.0.0/8',
        'in:(ws01,EVIL.example)',
        're:/^[a-z]+\\.exe$/',
        'jobs:>1',
        'first:>=2026-08-03',
      ];
      const condition = fc
        .array(fc.tuple(fc.constantFrom(' ', '\n', '\r\n'), fc.constantFrom('', '-'), fc.constantFrom(...terms)), {
          maxLength: 3,
        })
        .map((parts) => parts.map(([blank, minus, term]) => `${blank}${minus}${term}`).join(''));
      const types = fc.uniqueArray(fc.constantFrom(...entityTypes), { maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(condition, types, fc.constantFrom(...viewers), async (query, wanted, viewer) => {
          const { root, problems } = parseEntitySearch(query.trim().replace(/[\r\n]/g, ' '));
          fc.pre(problems.length === 0);
          const found = await preview(viewer, { query, entity_types: wanted });
          const meets = facts.map(
            (entity) =>
              (wanted.length === 0 || wanted.includes(entity.type)) &&
              (root === null || meetsEntitySearch(root, entity, ports.clock.now()) === true),
          );
          expect(found).toMatchObject({ count: meets.filter(Boolean).length, errors: [] });
          const seen = jobs.flatMap(({ places, by }, nth) => {
            const isSeen = by === null || viewer === viewers[2] || by.userId === viewer.userId;
            const count = places.filter((place) => meets[place]).length;
            return isSeen ? [{ job_id: ids[nth]!, count }] : [];
          });
          const matched = seen.filter(({ count }) => count > 0).toReversed();
          expect(await dryRun(viewer, { query, entity_types: wanted })).toEqual({
            jobs: seen.length,
            matched_jobs: matched.length,
            alerts: matched.reduce((sum, { count }) => sum + count, 0),
            per_job: matched,
            errors: [],
          });
        }),
        { numRuns: runs(60) },
      );
    });

    it('on jobs find is what the caller sees', async () => {
      const [mine, yours] = [await member('mine@example.org'), await member('yours@example.org')];
      const open = await analysed([0]);
      const own = await analysed([1], { submittedBy: mine.userId, isPrivate: true });
      const jobRule = { scope: 'jobs', query: 'is:done\nSecurity' };
      expect((await preview(mine, jobRule)).jobs.map(({ id }) => id)).toEqual([own, open]);
      expect((await preview(yours, jobRule)).jobs.map(({ id }) => id)).toEqual([open]);
      expect(await dryRun(yours, jobRule)).toMatchObject({ jobs: 1, per_job: [{ job_id: open, count: 1 }] });
      expect(await dryRun(yours, { query: 'tag:x job:1' })).toMatchObject({
        jobs: 0,
        errors: [{ code: 'job_term_not_allowed', start: 6, end: 11 }],
      });
    });

    it('of stars match is their entity alone, until somebody edits what they look for', async () => {
      const mine = await member('mine@example.org');
      await analysed([0, 3]);
      await analysed([3, 7, 6]);
      const id = await idOf(3);
      expect(await toggleStar(ports, mine, { id })).toEqual({ watching: true, watchlist: true });
      const [rule] = await ports.alertRules.readable({ userId: mine.userId, isAdmin: false });
      expect(rule).toMatchObject({
        name: '10.0.0.7',
        query: '"10.0.0.7"',
        entityTypes: ['ip_address'],
        notifies: true,
      });
      const asked = { query: '"10.0.0.7"', entity_types: ['ip_address'], rule_id: rule!.id };
      expect(await preview(mine, asked)).toMatchObject({ count: 1, entities: [{ id }] });
      expect(await dryRun(mine, asked)).toMatchObject({ matched_jobs: 2, alerts: 2 });
      // Another one, and now what its text says.
      await changeAlertRule(ports, mine, {
        id: rule!.id,
        ...operations.changeAlertRule.body.parse({ query: 'e', entity_types: [] }),
      });
      expect((await preview(mine, { query: 'e', rule_id: rule!.id })).count).toBeGreaterThan(1);
      expect(await isWatched(id)).toBe(true);
      await deleteAlertRule(ports, mine, { id: rule!.id });
      expect(await isWatched(id)).toBe(false);
    });

    it('of stars say is who watches an entity, also when one of those goes', async () => {
      const [mine, yours] = [await member('mine@example.org'), await member('yours@example.org')];
      await analysed([0, 1]);
      const [id, other] = [await idOf(0), await idOf(1)];
      for (const who of [mine, yours]) await toggleStar(ports, who, { id });
      await toggleStar(ports, yours, { id: other });
      expect(await toggleStar(ports, mine, { id })).toEqual({ watching: false, watchlist: true });
      const stars = async (who: typeof mine) =>
        (await listEntities(ports, who, operations.listEntities.query.parse({ sort: 'value' }))).items.map(
          ({ id: of, watchlist, watched_by_me: byMe }) => [of, watchlist, byMe],
        );
      expect(await stars(mine)).toEqual(expect.arrayContaining([[id, true, false]]));
      expect(await stars(yours)).toEqual(expect.arrayContaining([[id, true, true]]));
      expect(await getEntity(ports, yours, { id, job: null })).toMatchObject({ watched_by_me: true });
      expect(await getEntity(ports, mine, { id, job: null })).toMatchObject({ watchlist: true, watched_by_me: false });
      const found = async (): Promise<number[]> =>
        (await preview(mine, { query: 'is:watched' })).entities.map((entity) => entity.id).sort((a, b) => a - b);
      expect(await found()).toEqual([id, other].sort((a, b) => a - b));
      expect((await preview(yours, { query: 'is:mine type:user' })).count).toBe(2);
      expect((await preview(mine, { query: 'is:mine type:user' })).count).toBe(0);
      await ports.accounts.delete(yours.userId);
      expect([await isWatched(id), await isWatched(other), await found()]).toEqual([false, false, []]);
      await expect(toggleStar(ports, mine, { id: 2_000_000_000 })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('would have matched is looked up aside, for whoever asked and nobody else', async () => {
      const [mine, yours] = [await member('mine@example.org'), await member('yours@example.org')];
      const ids = [await analysed([0, 3]), await analysed([3], { submittedBy: yours.userId, isPrivate: true })];
      ids.push(await analysed([1, 4]), await analysed([4, 3]));
      const range = { since: '2026-07-01T00:00:00Z', until: '2026-09-01T00:00:00Z' };
      const begin = (who: Actor, body: object) =>
        beginBacktest(ports, who, operations.beginBacktest.body.parse({ ...range, ...body }));
      const work = async (): Promise<void> => {
        const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt'] });
        await handleTask(ports, lease!, { leave: new AbortController().signal });
      };
      const { id } = await begin(mine, { query: 'type:ip' });
      expect(await getBacktest(ports, mine, { id, page: 1 })).toMatchObject({ status: 'pending', jobs_total: 3 });
      await work();
      const result = await getBacktest(ports, mine, { id, page: 1 });
      expect(result).toMatchObject({ status: 'completed', jobs_done: 3, matched_jobs: 3, matches: 4 });
      expect(result.found.map(({ job, count, entities }) => [job.id, count, entities.length])).toEqual([
        [ids[3], 2, 2],
        [ids[2], 1, 1],
        [ids[0], 1, 1],
      ]);
      await expect(getBacktest(ports, yours, { id, page: 1 })).rejects.toMatchObject({ code: 'not_found' });
      expect(await listBacktests(ports, yours)).toEqual({ backtests: [] });

      const { id: none } = await begin(mine, { query: 'type:ip', since: '2026-08-02T00:00:00Z' });
      await work();
      expect(await getBacktest(ports, mine, { id: none, page: 1 })).toMatchObject({ status: 'completed', found: [] });
      const { id: cancelled } = await begin(mine, { query: 'type:ip' });
      await expect(cancelBacktest(ports, yours, { id: cancelled })).rejects.toMatchObject({ code: 'not_found' });
      await cancelBacktest(ports, mine, { id: cancelled });
      await work();
      expect(await getBacktest(ports, mine, { id: cancelled, page: 1 })).toMatchObject({
        status: 'cancelled',
        found: [],
      });
      expect((await listBacktests(ports, mine)).backtests.map((one) => one.id)).toEqual([cancelled, none, id]);
      await expect(begin(mine, { query: 'type:spirit' })).rejects.toMatchObject({ code: 'invalid_rule' });
      await expect(begin(mine, { until: range.since })).rejects.toMatchObject({ code: 'bad_request' });
    });

    it('found before is no job that one may no longer see', async () => {
      const mine = await member('mine@example.org');
      const job = await analysed([3]);
      const { id } = await ports.ruleTrials
        .begin(
          {
            accountId: mine.userId,
            scope: 'entity',
            query: '',
            entityTypes: [],
            entityId: null,
            since: at,
            until: at,
            jobsTotal: 1,
            createdAt: at,
          },
          20,
        )
        .then((made) => ({ id: made }));
      const looked = { jobs: 1, lastJobId: job, found: [{ jobId: job, matches: 1, entityIds: [] }] };
      expect(await ports.ruleTrials.record({ id, lastJobId: null }, looked)).toBe(1);
      // Again, by a process that did not know that it was done.
      expect(await ports.ruleTrials.record({ id, lastJobId: null }, looked)).toBe(1);
      expect((await ports.ruleTrials.get(id))?.jobsDone).toBe(1);
      const place = { page: 1, per: 10 };
      expect(await ports.ruleTrials.found(mine, id, place)).toMatchObject({ jobs: 1, matches: 1 });
      const owner = await member('owner@example.org');
      const hidden = await analysed([3], { submittedBy: owner.userId, isPrivate: true });
      await ports.ruleTrials.record(
        { id, lastJobId: job },
        { jobs: 1, lastJobId: hidden, found: [{ jobId: hidden, matches: 1, entityIds: [] }] },
      );
      expect(await ports.ruleTrials.found(mine, id, place)).toMatchObject({ jobs: 1, matches: 1 });
      expect(await ports.ruleTrials.found(owner, id, place)).toMatchObject({ jobs: 2, matches: 2 });
    });

    it('say is refused once somebody has as many as one can', async () => {
      const mine = await member('mine@example.org');
      await analysed([0]);
      const most = { ...ports, deployment: { ...ports.deployment, alertRulesPerAccount: 1 } };
      await createAlertRule(most, mine, operations.createAlertRule.body.parse({ name: 'one' }));
      await expect(toggleStar(most, mine, { id: await idOf(0) })).rejects.toMatchObject({ code: 'rule_limit' });
    });
  });
}
