import { allowlistEntities } from '@svc/application/intel/allowlist-entities.ts';
import type { EntityPage, EntitySort, ListedEntity } from '@svc/application/intel/entity-lists.ts';
import { planEntitySearch } from '@svc/application/intel/plan-entity-search.ts';
import { separateEntity, uniteEntities } from '@svc/application/intel/unite-entities.ts';
import { tagEntities } from '@svc/application/intel/tag-entities.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { entityAttributeKey, listMatcher, listValues, meetsEntitySearch, type Actor } from '@svc/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, entityFixture, named } from './entity-fixture.ts';
import { account, at } from './job-fixture.ts';
import type { Runs } from './runs.ts';

const none = {
  types: [],
  tags: [],
  since: null,
  minJobs: 0,
  isWatched: false,
  hidesAllowlisted: false,
  job: null,
} as const;
const now = new Date(at.getTime() + 10 * day);

/** What searches of entities find, held against a look at each; `make` gives empty repositories with workflows. */
export function entitySearchContract(make: () => Promise<Ports>, runs: Runs): void {
  describe('a search for entities', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    it('finds nothing by jobs of which none can be used, turned around or not', async () => {
      const owner = await userNamed('owner@example.org');
      const viewer = account(await userNamed('other@example.org'), 'member');
      const shown = await naming([0, 1], {}, 0);
      const hidden = await naming([2], { submittedBy: owner, isPrivate: true }, 1);
      const found = async (q: string) => (await allOf(viewer, q)).map(({ value }) => value);
      for (const id of [hidden, 2_000_000_000]) {
        expect([await found(`job:${id}`), await found(`-job:${id}`)]).toEqual([[], []]);
        expect(await found(`job:${id} OR WS01`)).toEqual(['WS01']);
        expect(await found(`-job:${id},${shown}`)).toEqual(['WS01']);
      }
    });

    it('finds what a look at each entity finds, for every viewer and in every order', async () => {
      const [mine, yours] = [await userNamed('mine@example.org'), await userNamed('yours@example.org')];
      const viewers = [account(mine, 'member'), account(yours, 'member'), account(yours, 'admin')];
      const jobs = [
        { places: [0, 1, 2, 3, 6], by: null },
        { places: [3, 4, 5, 0], by: mine },
        { places: [8, 9, 0, 10], by: yours },
        { places: [7, 6, 2, 14], by: null },
      ];
      const ids: number[] = [];
      for (const [nth, { places, by }] of jobs.entries())
        ids.push(await naming(places, by === null ? {} : { submittedBy: by, isPrivate: true }, nth));
      const everything = await allOf(viewers[2]!, '');
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

      const listed = await Promise.all(
        [
          { name: 'a', match: 'exact' as const, given: 'WS01\nadmin.exe\n２００１:db8::7\nevil.example.org' },
          { name: 'ends', match: 'suffix' as const, given: '.EXE, 0.7, strasse.evil.example, example.' },
          { name: 'below', match: 'domain' as const, given: 'evil.example, xample, ps1, admin.exe' },
        ].map(async ({ given, ...list }) => {
          const values = listValues(given);
          await ports.ruleLists.add({ ...list, values, description: '', sourceUrl: null, refreshHours: 0 }, now);
          return { name: list.name, has: listMatcher({ match: list.match, values }) };
        }),
      );

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
        'label:apt',
        'label:lolbin,apt/',
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
        'list:ends',
        'list:below',
        'list:unknown',
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
                lists: listed.flatMap(({ name, has }) => (has(entity.value) ? [name] : [])),
                jobs: of.filter((id) => seen.includes(id)),
                traits: [
                  ...(isListed ? (['allowlisted'] as const) : []),
                  ...(first.some((id) => seen.includes(id)) ? (['finding'] as const) : []),
                ],
              };
              return plan.search.root === null || meetsEntitySearch(plan.search.root, facts, now) === true;
            });
            const found = await allOf(viewer, q, by, isReversed);
            expect(found.map(({ value }) => value).sort()).toEqual(expected.map(({ value }) => value).sort());
            // Of the same time, number or star, the highest id first, whichever way the order goes.
            const upwards = inOrder(by, isReversed);
            const key = keyOf(by);
            const inOrderOfList = (a: ListedEntity, b: ListedEntity): number => upwards(key(a), key(b)) || b.id - a.id;
            expect(found.map(({ id }) => id)).toEqual(found.toSorted(inOrderOfList).map(({ id }) => id));
          },
        ),
        {
          numRuns: runs(150),
          examples: [
            ['-(attr:nothing type:user)', viewers[0]!, 'value', false],
            ['job:1 OR has:finding', viewers[1]!, 'jobs', true],
          ],
        },
      );
    });

    it('leaves of what is the same the first that it finds, in whatever order', async () => {
      const owner = await userNamed('owner@example.org');
      const viewers = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      await naming([...named.keys()].slice(0, 8), {}, 0);
      await naming([11, 12, 13, 0, 6], { submittedBy: owner, isPrivate: true }, 1);
      await naming([1, 11, 8, 9, 10], {}, 2);
      const all = await allOf(viewers[1]!, '');
      const sameType = fc
        .uniqueArray(fc.constantFrom(...all), { selector: ({ id }) => id, minLength: 2, maxLength: 5 })
        .map((some) => some.filter(({ type }) => type === some[0]!.type));
      await fc.assert(
        fc.asyncProperty(
          fc.array(sameType, { maxLength: 4 }),
          fc.option(fc.constantFrom(...all), { nil: null }),
          fc.constantFrom(
            '',
            'a',
            '*alice*',
            'type:user,exe',
            '-admin',
            'jobs:>1',
            'has:finding',
            'job:2',
            're:/[14]/',
          ),
          fc.constantFrom(...viewers),
          fc.constantFrom('last_seen', 'first_seen', 'jobs', 'value', 'watchlist'),
          fc.boolean(),
          async (unions, alone, q, viewer, by, isReversed) => {
            for (const { id } of all) await separateEntity(ports, viewer, { id });
            // Who is with whom, as one who unites and separates by hand would have it.
            let groups: number[][] = all.map(({ id }) => [id]);
            for (const some of unions) {
              const ids = some.map(({ id }) => id);
              await uniteEntities(ports, viewer, { id: ids[0]!, entity_ids: ids });
              const joined = groups.filter((group) => group.some((id) => ids.includes(id)));
              groups = [...groups.filter((group) => !joined.includes(group)), joined.flat()];
            }
            if (alone !== null) {
              await separateEntity(ports, viewer, { id: alone.id });
              groups = [...groups.map((group) => group.filter((id) => id !== alone.id)), [alone.id]];
            }
            const groupOf = (id: number): number[] => groups.find((group) => group.includes(id))!;
            const unfolded = await allOf(viewer, q, by, isReversed);
            const met = new Set<number[]>();
            const expected = unfolded.filter(({ id }) => !met.has(groupOf(id)) && met.add(groupOf(id)));
            const found = await allOf(viewer, q, by, isReversed, true);
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            expect(found.map(({ aliases }) => aliases)).toEqual(found.map(({ id }) => groupOf(id).length - 1));
          },
        ),
        { numRuns: runs(60) },
      );
    });

    /** All pages, each reached from the one before. */
    async function allOf(
      viewer: Actor,
      q: string,
      by: EntitySort = 'value',
      isReversed = false,
      foldsAliases = false,
    ): Promise<ListedEntity[]> {
      const { search } = await planEntitySearch(ports, viewer, { ...none, q }, now);
      const order = { by, isReversed, foldsAliases };
      const found: ListedEntity[] = [];
      let total = 0;
      let place: Parameters<typeof ports.entityLists.page>[2] | null = { page: 1, per: 3, cursor: null };
      while (place !== null) {
        const page: EntityPage = await ports.entityLists.page(viewer, search, place, order);
        found.push(...page.entities);
        total = page.total;
        place = page.older && { page: place.page + 1, per: 3, cursor: page.older };
      }
      expect(total).toBe(found.length);
      const ids = await ports.entityLists.ids(viewer, search, order, 1000);
      expect([...ids].sort((a, b) => a - b)).toEqual(found.map(({ id }) => id).sort((a, b) => a - b));
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
