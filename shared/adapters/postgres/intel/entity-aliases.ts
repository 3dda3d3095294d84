import type { EntityAliases, LikelyAlias } from '@svc/application/intel/entity-aliases.ts';
import type { OtherEntity } from '@svc/application/intel/entity-links.ts';
import type { Change } from '@svc/application/intel/entity-repository.ts';
import { likelyAliases, type EntityType } from '@svc/domain';
import { inArray, like, or, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityAliases, entitySearch } from '../schema/index.ts';
import { hasAny, named } from '../search/facets.ts';
import { literally } from '../text.ts';

/** Values that a text is in among which those of the most jobs are looked for. */
const mostLookedAt = 2000;

export class PgEntityAliases implements EntityAliases {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async groupsOf(ids: readonly number[]): Promise<Map<number, readonly OtherEntity[]>> {
    const rows = await rowsOf<OtherEntity & { group: number }>(
      this.#db,
      sql`select e.id, e.value, e.type, a.group_id as group from ${entityAliases} a join ${entities} e on e.id = a.entity_id
          where a.group_id in (select group_id from ${entityAliases} where entity_id = any(${anArray('integer', ids)}))
          order by e.id`,
    );
    const groups = new Map<number, OtherEntity[]>();
    for (const { group, ...member } of rows) groups.set(group, [...(groups.get(group) ?? []), member]);
    // One whose others no job names any more is alone.
    const whole = [...groups.values()].filter((members) => members.length > 1);
    return new Map(whole.flatMap((members) => members.map(({ id }) => [id, members] as const)));
  }

  async typesOf(ids: readonly number[]): Promise<EntityType[]> {
    const rows = await this.#db
      .selectDistinct({ type: entities.type })
      .from(entities)
      .where(inArray(entities.id, [...ids]));
    return rows.map(({ type }) => type);
  }

  async unite(ids: readonly number[], { by, at }: Change): Promise<void> {
    await this.#db
      .insert(entityAliases)
      .values(ids.map((entityId) => ({ entityId, groupId: Math.min(...ids), createdBy: by, createdAt: at })))
      .onConflictDoUpdate({ target: entityAliases.entityId, set: { groupId: sql`excluded.group_id` } });
  }

  async separate(id: number, rest: readonly number[]): Promise<void> {
    const alone = rest.length < 2 ? [id, ...rest] : [id];
    await this.#db.delete(entityAliases).where(inArray(entityAliases.entityId, alone));
    if (rest.length < 2) return;
    // Not under the id of one that may begin a group of its own.
    await this.#db
      .update(entityAliases)
      .set({ groupId: Math.min(...rest) })
      .where(inArray(entityAliases.entityId, [...rest]));
  }

  async likely(
    { id, type, value }: Pick<OtherEntity, 'id' | 'type' | 'value'>,
    text: string,
    limit: number,
  ): Promise<LikelyAlias[]> {
    const patterns = text === '' ? likelyAliases(type, value) : [`*${text.toLowerCase()}*`];
    if (patterns.length === 0) return [];
    const others = (await this.groupsOf([id])).get(id) ?? [];
    const isLike = or(...patterns.map((pattern) => like(entitySearch.words, asLike(pattern))));
    return rowsOf<LikelyAlias>(
      this.#db,
      sql`
      select e.id, e.value, e.type, e.job_count as "jobCount"
      from (
        select ${entitySearch.entityId} as id from ${entitySearch}
        where ${isLike} and ${hasAny(entitySearch.facets, [named('type', type)])} limit ${mostLookedAt}
      ) found join ${entities} e on e.id = found.id
      where e.id <> all(${anArray('integer', [id, ...others.map((other) => other.id)])})
      order by e.job_count desc, e.value_key limit ${limit}`,
    );
  }
}

/** Those that meet a condition on `entities` and come behind another of their group in an order, as one array that is made once. */
export function foldedAway(condition: SQL | undefined, order: SQL): SQL {
  return sql`array(
    select id from (
      select ${entities.id} as id, row_number() over (partition by ${entityAliases.groupId} order by ${order}) as place
      from ${entityAliases} join ${entities} on ${entities.id} = ${entityAliases.entityId} where ${condition ?? sql`true`}
    ) ranked where place > 1)`;
}

/** How many others each of these is one with; what is alone is left out. */
export async function aliasCounts(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await rowsOf<{ id: number; many: number }>(
    db,
    sql`select own.entity_id as id, count(*)::int as many from ${entityAliases} own
        join ${entityAliases} other on other.group_id = own.group_id and other.entity_id <> own.entity_id
        where own.entity_id = any(${anArray('integer', ids)}) group by own.entity_id`,
  );
  return new Map(rows.map(({ id, many }) => [id, many]));
}

function asLike(pattern: string): string {
  return pattern.split('*').map(literally).join('%');
}
