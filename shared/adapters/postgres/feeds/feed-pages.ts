import type { FeedPages } from '@svc/application/feeds/feed-pages.ts';
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { feedPages } from '../schema/index.ts';

/** What has not changed for longer is known again from its next reading. */
const keptMs = 90 * 86_400_000;

export class PgFeedPages implements FeedPages {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async unchangedSince(key: string, tag: string, now: Date): Promise<Date> {
    const known = await this.#since(key, tag);
    if (known !== null) return known;
    const since = new Date(Math.floor(now.getTime() / 1000) * 1000);
    await this.#db.delete(feedPages).where(lt(feedPages.since, new Date(now.getTime() - keptMs)));
    await this.#db
      .insert(feedPages)
      .values({ key, tag, since })
      .onConflictDoUpdate({
        target: feedPages.key,
        set: { tag, since: sql`greatest(excluded.since, ${feedPages.since} + interval '1 second')` },
        setWhere: ne(feedPages.tag, tag),
      });
    // Another reader may have found it changed again.
    return (await this.#since(key, tag)) ?? since;
  }

  async #since(key: string, tag: string): Promise<Date | null> {
    const [row] = await this.#db
      .select({ since: feedPages.since })
      .from(feedPages)
      .where(and(eq(feedPages.key, key), eq(feedPages.tag, tag)));
    return row?.since ?? null;
  }
}
