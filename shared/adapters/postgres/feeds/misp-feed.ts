import type { MispFeed, MispPart } from '@svc/application/feeds/misp-feed.ts';
import { feedLimits } from '@svc/domain';
import { and, asc, eq, gte, lt, max, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { entities } from '../schema/index.ts';

type Part = Pick<MispPart, 'day' | 'part'>;

const day = sql<string>`to_char(${entities.firstSeenAt} at time zone 'UTC', 'YYYY-MM-DD')`.as('day');
/** By id: others that come and go do not move it. */
const part = sql<number>`${entities.id} / ${sql.raw(String(feedLimits.page))}`.as('part');
const isTold = eq(entities.isAllowlisted, false);
/** By what is selected first and second. */
const byPart = [sql`1`, sql`2`] as const;

export class PgMispFeed implements MispFeed {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async parts(): Promise<MispPart[]> {
    const rows = await this.#db
      .select({ day, part, lastSeenAt: max(entities.lastSeenAt) })
      .from(entities)
      .where(isTold)
      .groupBy(...byPart)
      .orderBy(...byPart);
    return rows.flatMap(({ lastSeenAt, ...rest }) => (lastSeenAt === null ? [] : [{ ...rest, lastSeenAt }]));
  }

  async entitiesOf({ day: of, part: place }: Part): Promise<number[]> {
    const first = place * feedLimits.page;
    const rows = await this.#db
      .select({ id: entities.id })
      .from(entities)
      .where(
        and(
          isTold,
          gte(entities.id, first),
          lt(entities.id, first + feedLimits.page),
          sql`${entities.firstSeenAt} >= ${`${of}T00:00:00Z`}::timestamptz`,
          sql`${entities.firstSeenAt} < ${`${of}T00:00:00Z`}::timestamptz + interval '24 hours'`,
        ),
      )
      .orderBy(asc(entities.id));
    return rows.map(({ id }) => id);
  }

  digests(): Promise<(Part & { readonly digests: string[] })[]> {
    return this.#db
      .select({ day, part, digests: sql<string[]>`array_agg(md5(${entities.value}))` })
      .from(entities)
      .where(and(isTold, sql`(${entities.type} <> 'hash' or length(${entities.value}) in (32, 40, 64, 128))`))
      .groupBy(...byPart)
      .orderBy(...byPart);
  }
}
