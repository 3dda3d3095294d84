import type { ToldEntities, ToldEntity, ToldSearch } from '@svc/application/feeds/told-entities.ts';
import type { EntityType, TaxiiCollectionAlias } from '@svc/domain';
import { and, asc, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, toldUntil } from '../schema/index.ts';

export class PgToldEntities implements ToldEntities {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async date(
    collection: TaxiiCollectionAlias,
    most: number,
    stixIdOf: (entity: { readonly type: EntityType; readonly value: string }) => string | null,
  ): Promise<boolean> {
    const isUndated = and(sql`${entities.toldAt} is null`, isOf(collection));
    const undated = await this.#db.select({ id: entities.id }).from(entities).where(isUndated).limit(1);
    if (undated.length === 0) return false;
    return this.#db.transaction(async (tx) => {
      // Held to the end, so that whoever sees a time sees all before it.
      const [until] = await rowsOf<{ at: string }>(
        tx,
        sql`insert into ${toldUntil} as known (id, at) values (1, clock_timestamp())
            on conflict (id) do update set at = greatest(known.at + ${most} * interval '1 microsecond', excluded.at)
            returning at::text as at`,
      );
      // In the order of the index. What somebody is about to change waits for no one, and comes next time.
      const found = await rowsOf<{ id: number; type: EntityType; value: string }>(
        tx,
        sql`select id, type, value from ${entities} where ${isUndated} order by told_at, last_seen_at, id limit ${most}
            for no key update skip locked`,
      );
      const given = unnested(['integer', found.map(({ id }) => id)], ['uuid', found.map((one) => stixIdOf(one))]);
      await tx.execute(sql`
        update ${entities} e set stix_id = given.stix_id,
          told_at = ${until!.at}::timestamptz - (${most} - given.place) * interval '1 microsecond'
        from ${given} with ordinality as given(id, stix_id, place) where e.id = given.id`);
      return found.length === most;
    });
  }

  page(collection: TaxiiCollectionAlias, { after, stixIds, versions, limit }: ToldSearch): Promise<ToldEntity[]> {
    return this.#db
      .select({
        id: entities.id,
        stixId: sql<string>`${entities.stixId}`,
        toldAt: sql<string>`to_char(${entities.toldAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
        lastSeenAt: entities.lastSeenAt,
      })
      .from(entities)
      .where(
        and(
          isNotNull(entities.toldAt),
          isNotNull(entities.stixId),
          eq(entities.isAllowlisted, false),
          isOf(collection),
          after === null ? undefined : sql`${entities.toldAt} > ${after}::timestamptz`,
          stixIds === null ? undefined : sql`${entities.stixId} = any(${anArray('uuid', stixIds)})`,
          versions === null ? undefined : sql`${entities.lastSeenAt} = any(${anArray('timestamptz', versions)})`,
        ),
      )
      .orderBy(asc(entities.toldAt))
      .limit(limit);
  }
}

/** As the partial index has it. */
function isOf(collection: TaxiiCollectionAlias): SQL | undefined {
  return collection === 'watched-iocs' ? sql`${entities.isWatched}` : undefined;
}
