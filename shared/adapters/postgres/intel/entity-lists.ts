import type {
  EntityCounts,
  EntityLists,
  EntityListSearch,
  EntityNews,
  EntityOrder,
  EntityPage,
  EntitySort,
} from '@svc/application/intel/entity-lists.ts';
import type { ListPlace } from '@svc/application/jobs/job-lists.ts';
import { entityTypes, type Actor, type EntitySearchNode, type EntityType } from '@svc/domain';
import { and, asc, count, desc, gt, like, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks, entityTotals, jobEntityCounts, jobs } from '../schema/index.ts';
import { noWays, type SortKey } from '../search/listed.ts';
import { orderedPage } from '../search/ordered-page.ts';
import { moment } from '../search/sort-keys.ts';
import { literally } from '../text.ts';
import { visibleTo } from '../visible.ts';
import { foldedAway } from './entity-aliases.ts';
import { conditionOfEach, entityCondition, entityCount, type EntitySearchContext } from './entity-condition.ts';
import { entityTotal } from './entity-totals.ts';
import { listedEntities } from './listed-entities.ts';
import { searchCondition, searchContext } from './search-condition.ts';

/** Which way each order goes at first (resolved-intel 4.2). */
const startsLowest: ReadonlySet<EntitySort> = new Set(['first_seen', 'value']);

const sortKeys: Readonly<Record<EntitySort, SortKey>> = {
  last_seen: moment(entities.lastSeenAt),
  first_seen: moment(entities.firstSeenAt),
  jobs: {
    value: sql`${entities.jobCount}`,
    columns: [entities.jobCount],
    toNumber: (key) => key,
    fromNumber: (key) => sql`${key}::integer`,
  },
  value: {
    value: sql`${entities.valueKey}`,
    columns: [entities.valueKey],
    toNumber: (key) => key,
    fromNumber: (key) => sql`${String(key)}::text collate "C"`,
  },
  watchlist: {
    value: sql`${entities.isWatched}`,
    columns: [entities.isWatched],
    toNumber: (key) => sql`${key}::integer`,
    fromNumber: (key) => sql`(${key}::integer = 1)`,
    // An index of all by it would be written with each job, since jobs rewrite what they name.
    groups: [
      { number: 1, having: sql`${entities.isWatched}` },
      { number: 0, having: sql`not ${entities.isWatched}` },
    ],
  },
};

export class PgEntityLists implements EntityLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(viewer: Actor, search: EntityListSearch, place: ListPlace, order: EntityOrder): Promise<EntityPage> {
    const { root } = search;
    const context = await searchContext(this.#db, viewer, search);
    const condition = root === null ? undefined : entityCondition(context, root);
    const folded = order.foldsAliases ? foldedAway(condition, inOrder(order)) : null;
    const listed = {
      table: entities,
      id: entities.id,
      key: sortKeys[order.by],
      isReversed: isLowestFirst(order),
      hasHighestIdFirst: true,
      during: undefined,
      where: and(condition, unfolded(folded)),
      ways: {
        ...noWays,
        each: and(root === null ? undefined : conditionOfEach(context, root), unfolded(folded)),
      },
      total: async () => (await this.#total(context, root)) - (await this.#sizeOf(folded)),
    };
    const { ids, isFloor: _, ...found } = await orderedPage(this.#db, listed, place);
    return { ...found, entities: await listedEntities(this.#db, ids) };
  }

  async ids(viewer: Actor, search: EntityListSearch, order: EntityOrder, limit: number): Promise<number[]> {
    const condition = await searchCondition(this.#db, viewer, search);
    const folded = order.foldsAliases ? foldedAway(condition, inOrder(order)) : null;
    const rows = await this.#db
      .select({ id: entities.id })
      .from(entities)
      .where(and(condition, unfolded(folded)))
      .orderBy(desc(entities.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async news(
    viewer: Actor,
    search: EntityListSearch,
    { since, limit }: { readonly since: Date; readonly limit: number },
  ): Promise<EntityNews> {
    const where = await searchCondition(this.#db, viewer, search);
    const found = this.#db
      .select({ isFirst: gt(entities.firstSeenAt, since).as('is_first') })
      .from(entities)
      .where(and(gt(entities.lastSeenAt, since), where))
      .limit(limit)
      .as('found');
    const [row] = await this.#db
      .select({ all: count(), first: sql<number>`(count(*) filter (where ${found.isFirst}))::integer` })
      .from(found);
    const { all = 0, first = 0 } = row ?? {};
    return { first, again: all - first };
  }

  async counts(viewer: Actor): Promise<EntityCounts> {
    const types = await this.#db
      .select({ type: entityTotals.type, many: sql<number>`sum(${entityTotals.many})::int` })
      .from(entityTotals)
      .groupBy(entityTotals.type);
    const many = new Map<EntityType, number>(types.map((row) => [row.type, row.many]));
    const [named] = await this.#db
      .select({ many: count() })
      .from(jobs)
      .where(and(visibleTo(viewer), namesAny));
    return {
      byType: Object.fromEntries(entityTypes.map((type) => [type, many.get(type) ?? 0])) as Record<EntityType, number>,
      watched: await this.#count(sql`${entities.isWatched}`),
      allowlisted: await this.#count(sql`${entities.isAllowlisted}`),
      jobs: named?.many ?? 0,
    };
  }

  async jobs(viewer: Actor, text: string, limit: number): Promise<readonly number[]> {
    const isMeant = or(
      like(jobs.searchName, `%${literally(text.toLowerCase())}%`),
      /^\d+$/.test(text) ? sql`${jobs.id}::text like ${`${text}%`}` : undefined,
    );
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(visibleTo(viewer), text === '' ? undefined : isMeant, namesAny))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async #total(context: EntitySearchContext, root: EntitySearchNode | null): Promise<number> {
    const total = root === null ? entityTotal() : entityCount(context, root);
    const [row] = await rowsOf<{ many: number }>(this.#db, sql`select ${total}::int as many`);
    return row?.many ?? 0;
  }

  async #sizeOf(folded: SQL | null): Promise<number> {
    if (folded === null) return 0;
    const [row] = await rowsOf<{ many: number }>(this.#db, sql`select cardinality(${folded}) as many`);
    return row?.many ?? 0;
  }

  async #count(where: SQL | undefined): Promise<number> {
    const [row] = await this.#db.select({ many: count() }).from(entities).where(where);
    return row?.many ?? 0;
  }
}

/** Whether a job names any, as is kept of most. */
const namesAny = sql`coalesce(
  (select c.entities > 0 from ${jobEntityCounts} c where c.job_id = ${jobs.id}),
  exists (select from ${entityJobLinks} l where l.job_id = ${jobs.id}))`;

function isLowestFirst({ by, isReversed }: EntityOrder): boolean {
  return isReversed !== startsLowest.has(by);
}

/** The order of the whole list. */
function inOrder(order: EntityOrder): SQL {
  const { value } = sortKeys[order.by];
  return sql`${isLowestFirst(order) ? asc(value) : desc(value)}, ${desc(entities.id)}`;
}

function unfolded(folded: SQL | null): SQL | undefined {
  return folded === null ? undefined : sql`${entities.id} <> all(${folded})`;
}
