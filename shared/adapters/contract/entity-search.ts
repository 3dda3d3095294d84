import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import type { EntityPage, EntitySort, ListedEntity } from '@svc/application/intel/entity-lists.ts';
import { listEntityFindings } from '@svc/application/intel/list-entity-findings.ts';
import { listEntityJobs } from '@svc/application/intel/list-entity-jobs.ts';
import { listEntitiesTogether } from '@svc/application/intel/list-entities-together.ts';
import { planEntitySearch } from '@svc/application/intel/plan-entity-search.ts';
import { tagEntities } from '@svc/application/intel/tag-entities.ts';
import { getRelationshipTimespan } from '@svc/application/intel/get-relationship-timespan.ts';
import { listEntityRelationships } from '@svc/application/intel/list-entity-relationships.ts';
import { listRelationshipEvidence } from '@svc/application/intel/list-relationship-evidence.ts';
import { getEntitySightings } from '@svc/application/intel/get-entity-sightings.ts';
import { getEntityMitre } from '@svc/application/intel/get-entity-mitre.ts';
import { getSeenBefore } from '@svc/application/intel/get-seen-before.ts';
import { lookUpEntities } from '@svc/application/intel/look-up-entities.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { InputOf, operations } from '@svc/contracts';
import { entityAttributeKey, meetsEntitySearch, type Actor, type EntityType } from '@svc/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account, at, jobFixture, outcome } from './job-fixture.ts';
import { finding } from '../testing/fake-engine.ts';

const none = {
  types: [],
  tags: [],
  since: null,
  minJobs: 0,
  isWatched: false,
  hidesAllowlisted: false,
  job: null,
} as const;
const day = 86_400_000;
const now = new Date(at.getTime() + 10 * day);

const named: readonly (readonly [EntityType, string])[] = [
  ['user', 'CORP\\Admin_1'],
  ['user', 'alice 100%'],
  ['computer', 'WS01'],
  ['ip_address', '10.0.0.7'],
  ['ip_address', '2001:db8::7'],
  ['hash', 'AB'.repeat(16)],
  ['executable', 'certutil.exe'],
  ['executable', 'admin.exe'],
  ['domain', 'evil.example'],
  ['cmdline_file', 'run.ps1'],
  ['service', 'Admin (x)'],
];

/** By so many events, one of which failed, within a second. */
function shownBy(count: number, from: number) {
  return { count, failed: 1, observedFrom: from, observedTo: from + 1000 };
}

/** What searches of entities find, held against a look at each; `make` gives empty repositories with workflows. */
export function entitySearchContract(make: () => Promise<Ports>): void {
  describe('a search for entities', () => {
    let ports: Ports;
    const { submit, userNamed } = jobFixture(async () => (ports = await make()));

    /** A job that names some of the things, in a finding the first of them. */
    async function naming(
      places: readonly number[],
      over: object,
      days: number,
      shows?: ReturnType<typeof shownBy>,
    ): Promise<number> {
      const { sha256, ...fields } = over as { readonly sha256?: string };
      const { job } = await submit({ job: fields, ...(sha256 !== undefined && { file: { sha256 } }) });
      await ports.jobs.claim(job.id, 'claim', at);
      const task = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 } as const;
      const [id = 0] = await ports.results.addTasks(job.id, [task], at);
      await ports.results.startTask(id, at);
      await ports.results.finishTask(id, outcome({ findings: [finding()], derived: null }), at);
      const [found] = await ports.findings.withEvents(job.id);
      const entities = places.map((place) => ({ type: named[place]![0], value: named[place]![1], count: 1 }));
      await ports.transaction(async (tx) => {
        await tx.jobs.hold([job.id]);
        // Of two that are related, both.
        const findings = [{ finding: found!.id, entities: shows === undefined ? [0] : [0, 1] }];
        const relationships =
          shows === undefined
            ? []
            : [{ ...shows, type: 'runs_as' as const, source: 0, target: 1, samples: [{ EventID: 1 }] }];
        const saying = {
          version: 1,
          describe: ({ value }: { readonly value: string }) => {
            const keys = value.startsWith('certutil')
              ? ['lolbin']
              : value.startsWith('10.')
                ? ['rfc1918', 'private']
                : [];
            return { attributes: keys.length > 0 ? { key: true } : null, keys };
          },
        };
        await tx.intel.replace(
          job.id,
          { entities, findings, relationships },
          { at: new Date(at.getTime() + days * day), describe: saying },
        );
      });
      return job.id;
    }

    it('finds what a look at each entity finds, for every viewer and in every order', async () => {
      const [mine, yours] = [await userNamed('mine@example.org'), await userNamed('yours@example.org')];
      const viewers = [account(mine, 'member'), account(yours, 'member'), account(yours, 'admin')];
      const jobs = [
        { places: [0, 1, 2, 3, 6], by: null },
        { places: [3, 4, 5, 0], by: mine },
        { places: [8, 9, 0, 10], by: yours },
        { places: [7, 6, 2], by: null },
      ];
      const ids: number[] = [];
      for (const [nth, { places, by }] of jobs.entries())
        ids.push(await naming(places, by === null ? {} : { submittedBy: by, isPrivate: true }, nth));
      const everything = await listed(viewers[2]!, '');
      const idOf = (value: string): number => everything.find((one) => one.value === value)!.id;
      await tagEntities(ports, viewers[0]!, {
        entity_ids: [idOf('evil.example'), idOf('WS01')],
        tag: 'apt/28,two words',
        color: [],
      });
      await tagEntities(ports, viewers[0]!, { entity_ids: [idOf('admin.exe')], tag: 'apt', color: [] });
      await allowlistEntities(ports, viewers[0]!, {
        entity_ids: [idOf('admin.exe'), idOf('10.0.0.7')],
        value: true,
        reason: '',
      });

      const visibleTo = (viewer: Actor): number[] =>
        ids.filter(
          (_, nth) =>
            viewer === viewers[2] ||
            jobs[nth]!.by === null ||
            (viewer.kind === 'account' && jobs[nth]!.by === viewer.userId),
        );
      const terms = [
        'admin',
        '100%',
        'e*l',
        '^a*',
        '*.exe$',
        '"CORP"',
        'type:user',
        'type:ip,exe',
        'tag:apt',
        'tag:apt/',
        '"tag:two words"',
        'attr:lolbin',
        'label:rfc1918',
        'cidr:10.0.0.0/8',
        'cidr:2001:db8::/32,10.0.0.7',
        'in:(ws01,EVIL.example)',
        're:/^[a-z]+\\.exe$/',
        're:/\\badmin\\b/',
        `job:${ids[0]}`,
        `job:${ids[1]},${ids[2]}`,
        'jobs:>1',
        'jobs:1..2',
        'seen:<8d',
        'first:>=2026-08-03',
        'is:allowlisted',
        'has:finding',
        'has:note',
        'attr:nothing',
        'list:a',
        'type:user -admin',
      ];
      const term = fc
        .tuple(fc.constantFrom('', '-'), fc.constantFrom(...terms))
        .map(([minus, text]) => (/[ ]/.test(text) ? text : minus + text));
      const query = fc
        .array(fc.tuple(fc.constantFrom(' ', ' OR ', ' AND '), term, fc.boolean()), { minLength: 1, maxLength: 4 })
        .map((parts) =>
          parts
            .map(([join, text, isGroup], nth) => (nth === 0 ? '' : join) + (isGroup ? `(${text} type:user)` : text))
            .join(''),
        );
      const sorts = ['last_seen', 'first_seen', 'jobs', 'value', 'watchlist'] as const;
      await fc.assert(
        fc.asyncProperty(
          query,
          fc.constantFrom(...viewers),
          fc.constantFrom(...sorts),
          fc.boolean(),
          async (q, viewer, by, isReversed) => {
            const plan = await planEntitySearch(ports, viewer, { ...none, q }, now);
            const seen = visibleTo(viewer);
            const expected = everything.filter((entity) => {
              const of = jobs.flatMap(({ places }, nth) =>
                places.some((place) => named[place]![1] === entity.value) ? ids[nth]! : [],
              );
              const first = jobs.flatMap(({ places }, nth) =>
                named[places[0]!]![1] === entity.value ? ids[nth]! : [],
              );
              const isListed = ['admin.exe', '10.0.0.7'].includes(entity.value);
              const facts = {
                ...entity,
                tags:
                  entity.value === 'admin.exe'
                    ? ['apt']
                    : ['evil.example', 'WS01'].includes(entity.value)
                      ? ['apt/28', 'two words']
                      : [],
                attributes: entity.attributeKeys.flatMap((key) => entityAttributeKey(key) ?? []),
                jobs: of.filter((id) => seen.includes(id)),
                traits: [
                  ...(isListed ? (['allowlisted'] as const) : []),
                  ...(first.some((id) => seen.includes(id)) ? (['finding'] as const) : []),
                ],
              };
              return plan.search.root === null || meetsEntitySearch(plan.search.root, facts, now) === true;
            });
            const found = await listed(viewer, q, by, isReversed);
            expect(found.map(({ value }) => value).sort()).toEqual(expected.map(({ value }) => value).sort());
            // Of the same time, number or star, the highest id first, whichever way the order goes.
            const upwards = inOrder(by, isReversed);
            const key = keyOf(by);
            const inOrderOfList = (a: ListedEntity, b: ListedEntity): number => upwards(key(a), key(b)) || b.id - a.id;
            expect(found.map(({ id }) => id)).toEqual(found.toSorted(inOrderOfList).map(({ id }) => id));
          },
        ),
        {
          numRuns: 150,
          examples: [
            ['-(attr:nothing type:user)', viewers[0]!, 'value', false],
            ['job:1 OR has:finding', viewers[1]!, 'jobs', true],
          ],
        },
      );
    });

    it('leads to jobs and findings that the viewer sees, and to no others', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const shared = await naming([0, 6], {}, 0);
      const hidden = await naming([0, 8], { submittedBy: owner, isPrivate: true }, 1);
      const id = (await ports.entities.find({ type: 'user', value: 'corp\\admin_1' }))!;
      const told = async (viewer: Actor) => ({
        jobs: (await listEntityJobs(ports, viewer, { id, page: 1 })).jobs.map((job) => job.id),
        findings: (await listEntityFindings(ports, viewer, { id, page: 1, job: hidden })).findings.map(
          (one) => one.job_id,
        ),
        mitre: (await getEntityMitre(ports, viewer, { id, job: hidden })).techniques.map((one) => one.count),
        together: (await listEntitiesTogether(ports, viewer, { id })).items.map((one) => [one.value, one.shared_jobs]),
      });
      expect(await told(mine)).toEqual({
        jobs: [hidden, shared],
        findings: [hidden],
        mitre: [1],
        together: [
          ['certutil.exe', 1],
          ['evil.example', 1],
        ],
      });
      expect(await told(other)).toEqual({
        jobs: [shared],
        findings: [shared],
        mitre: [1],
        together: [['certutil.exe', 1]],
      });
      expect(await ports.entityLists.jobs(other, 'security', 10)).toEqual([shared]);
      expect((await ports.entityLists.counts(other)).jobs).toBe(1);
    });

    it('tells when jobs that the viewer sees saw it, and what findings say of it', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const first = await naming([6, 0], {}, 0, shownBy(2, 5 * day));
      const same = await naming([6, 0], {}, 0, shownBy(1, 6 * day - 1));
      const hidden = await naming([6, 0], { submittedBy: owner, isPrivate: true }, 1, shownBy(3, 7 * day));
      const user = (await ports.entities.find({ type: 'user', value: 'corp\\admin_1' }))!;
      const told = async (viewer: Actor, id: number) => {
        const { buckets, findings, ...rest } = await getEntitySightings(ports, viewer, { id });
        return {
          ...rest,
          high: findings.high,
          buckets: buckets.map((one) => [one.from / day, one.jobs, one.severity]),
        };
      };
      const whole = { step: 'day', is_cut: false, undated: 0 };
      expect(await told(other, user)).toEqual({
        ...whole,
        jobs: 2,
        high: 2,
        jobs_with_findings: 2,
        buckets: [[5, 2, 'high']],
      });
      expect(await told(mine, user)).toMatchObject({
        jobs: 3,
        high: 3,
        buckets: [
          [5, 2, 'high'],
          [7, 1, 'high'],
        ],
      });
      // By its finding, and of one that a finding of the job does not name, when the job was submitted.
      const found = await naming([6], {}, 2);
      const silent = await naming([7, 6], {}, 2);
      const program = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
      expect(await told(other, program)).toEqual({
        step: 'week',
        is_cut: false,
        undated: 1,
        jobs: 4,
        high: 3,
        jobs_with_findings: 3,
        buckets: [
          // Monday, the 5th of January 1970, and the 27th of July 2026.
          [4, 2, 'high'],
          [Date.parse('2026-07-27') / day, 2, 'high'],
        ],
      });
      const during = async (viewer: Actor, from: number, to?: number) =>
        (
          await listEntityJobs(ports, viewer, { id: program, page: 1, from: from * day, ...(to && { to: to * day }) })
        ).jobs.map((job) => job.id);
      expect(await during(mine, 4, 11)).toEqual([hidden, same, first]);
      expect(await during(other, 6, 11)).toEqual([]);
      expect(await during(other, 6)).toEqual([silent, found]);
    });

    it('shows of a relationship the evidence of jobs that the viewer sees, and of no others', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const first = await naming([6, 0], {}, 0, shownBy(2, 5000));
      const hidden = await naming([6, 0], { submittedBy: owner, isPrivate: true }, 1, shownBy(3, 90_000));
      const silent = await naming([6, 0], {}, 2);
      const id = (await ports.entities.find({ type: 'executable', value: 'certutil.exe' }))!;
      const related = async (viewer: Actor, over: Partial<InputOf<typeof operations.listEntityRelationships>> = {}) => {
        const { groups, kinds, total } = await listEntityRelationships(ports, viewer, { id, job: null, ...over });
        return { kinds: kinds.map((kind) => kind.count), total, rows: groups.flatMap(({ rows }) => rows) };
      };
      const [row] = (await related(other)).rows;
      expect(row).toMatchObject({ occurrence_count: 5, other: { value: 'CORP\\Admin_1' } });
      const relationship = { id: row!.relationship_id };
      expect(await getRelationshipTimespan(ports, mine, relationship)).toMatchObject({
        rel_type: 'runs_as',
        source: { value: 'certutil.exe' },
        occurrence_count: 5,
        evidence_occurrences: 5,
        jobs: 2,
        time_source: 'event',
        from: 5000,
        to: 91_000,
      });
      expect(await getRelationshipTimespan(ports, other, relationship)).toMatchObject({
        occurrence_count: 5,
        evidence_occurrences: 2,
        jobs: 1,
        from: 5000,
        to: 6000,
      });
      const evidence = async (viewer: Actor) =>
        (await listRelationshipEvidence(ports, viewer, { ...relationship, page: 1 })).evidence.map((one) => [
          one.job.id,
          one.occurrence_count,
          one.failed_count,
          one.events,
          one.findings.map((found) => found.rule_name),
        ]);
      const sample = [{ EventID: 1 }];
      expect(await evidence(mine)).toEqual([
        [hidden, 3, 1, sample, ['Encoded PowerShell Command Line']],
        [first, 2, 1, sample, ['Encoded PowerShell Command Line']],
        [silent, undefined, undefined, [], []],
      ]);
      expect((await evidence(other)).map(([job]) => job)).toEqual([first, silent]);
      // The window is of what the viewer sees; the kinds tell what it leaves.
      expect(await related(mine, { from: 80_000 })).toMatchObject({ kinds: [1], total: 1 });
      expect(await related(other, { from: 80_000 })).toEqual({ kinds: [0], total: 0, rows: [] });
      expect((await related(other, { from: 6000, to: 6000 })).total).toBe(1);
      expect(await related(other, { kinds: ['loads'] })).toEqual({ kinds: [1], total: 0, rows: [] });
      await expect(getRelationshipTimespan(ports, mine, { id: 2_000_000_000 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('tells what of a job earlier ones name, of those that the viewer sees', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const hidden = await naming([0, 8], { submittedBy: owner, isPrivate: true }, 0);
      await naming([0, 6], {}, 1);
      const asked = await naming([6, 0, 8, 9], {}, 2);
      const { sha256 } = (await ports.jobs.get(asked))!.file;
      // The same log once more, and one that came later.
      await naming([6, 0, 8, 9], { sha256 }, 3);
      await naming([9], {}, 4);
      const told = async (viewer: Actor, which: 'seen' | 'new') => {
        const { total, seen, list } = await getSeenBefore(ports, viewer, { id: asked, which, page: 9 });
        const items = list.items.map((one) => [one.value, one.jobs_before, one.jobs]);
        return { total, seen, page: list.page, items };
      };
      expect(await told(mine, 'seen')).toEqual({
        total: 4,
        seen: 3,
        page: 1,
        // What a finding names comes first.
        items: [
          ['certutil.exe', 1, 1],
          ['evil.example', 1, 1],
          ['CORP\\Admin_1', 2, 2],
        ],
      });
      expect((await told(mine, 'new')).items).toEqual([['run.ps1', 0, 1]]);
      expect((await told(other, 'seen')).items).toEqual([
        ['certutil.exe', 1, 1],
        ['CORP\\Admin_1', 1, 1],
      ]);
      expect((await told(other, 'new')).items).toEqual([
        ['evil.example', 0, 0],
        ['run.ps1', 0, 1],
      ]);
      const values = [
        { entity_type: 'user', value: 'never seen' },
        { entity_type: 'domain', value: 'EVIL.example' },
        { entity_type: 'user', value: 'evil.example' },
      ] as const;
      const known = async (viewer: Actor) =>
        (await lookUpEntities(ports, viewer, { id: asked, entities: [...values] })).items.map((one) => [
          one.place,
          one.value,
          one.jobs_before,
        ]);
      expect(await known(mine)).toEqual([[1, 'evil.example', 1]]);
      expect(await known(other)).toEqual([[1, 'evil.example', 0]]);
      await expect(getSeenBefore(ports, other, { id: hidden, which: 'seen', page: 1 })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    /** All pages, each reached from the one before. */
    async function listed(
      viewer: Actor,
      q: string,
      by: EntitySort = 'value',
      isReversed = false,
    ): Promise<ListedEntity[]> {
      const { search } = await planEntitySearch(ports, viewer, { ...none, q }, now);
      const found: ListedEntity[] = [];
      let total = 0;
      let place: Parameters<typeof ports.entityLists.page>[2] | null = { page: 1, per: 3, cursor: null };
      while (place !== null) {
        const page: EntityPage = await ports.entityLists.page(viewer, search, place, { by, isReversed });
        found.push(...page.entities);
        total = page.total;
        place = page.older && { page: place.page + 1, per: 3, cursor: page.older };
      }
      expect(total).toBe(found.length);
      return found;
    }
  });
}

function keyOf(by: EntitySort): (entity: ListedEntity) => number | string {
  return (entity) => {
    if (by === 'value') return entity.value.toLowerCase();
    if (by === 'jobs') return entity.jobCount;
    if (by === 'watchlist') return Number(entity.isWatched);
    return (by === 'first_seen' ? entity.firstSeenAt : entity.lastSeenAt).getTime();
  };
}

function inOrder(by: EntitySort, isReversed: boolean): (a: number | string, b: number | string) => number {
  const isUp = isReversed !== (by === 'value' || by === 'first_seen');
  return (a, b) => (a === b ? 0 : a < b === isUp ? -1 : 1);
}
