import type { ListPlace } from '@svc/application/jobs/job-lists.ts';
import type {
  FoundSearch,
  FoundSearches,
  SavedSearchRepository,
} from '@svc/application/jobs/saved-search-repository.ts';
import { savedSearchLimits, type SavedSearch, type SearchScope } from '@svc/domain';
import { and, asc, count, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { accounts, savedSearches, savedSearchLooks } from '../schema/index.ts';
import { orderedPage } from '../search/ordered-page.ts';
import { moment } from '../search/sort-keys.ts';

export class PgSavedSearchRepository implements SavedSearchRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(viewerId: string): Promise<FoundSearch[]> {
    return this.#found(viewerId, undefined);
  }

  async page(viewerId: string, scope: SearchScope, place: ListPlace): Promise<FoundSearches> {
    const where = and(eq(savedSearches.scope, scope), isSeenBy(viewerId));
    const {
      ids,
      isFloor: _,
      ...found
    } = await orderedPage(
      this.#db,
      {
        table: savedSearches,
        id: savedSearches.id,
        key: moment(savedSearches.updatedAt),
        isReversed: false,
        during: undefined,
        where,
        total: () => this.#db.$count(savedSearches, where),
      },
      place,
    );
    const rows = await this.#found(viewerId, inArray(savedSearches.id, [...ids]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { ...found, searches: ids.flatMap((id) => byId.get(id) ?? []) };
  }

  async get(viewerId: string, id: number): Promise<FoundSearch | null> {
    const [search] = await this.#found(viewerId, eq(savedSearches.id, id));
    return search ?? null;
  }

  async save(ownerId: string, search: Omit<SavedSearch, 'id'>): Promise<SavedSearch | null> {
    const { name, scope } = search;
    return this.#db.transaction(async (tx) => {
      // Two at once take turns, so that neither passes the limit nor makes a second of the name.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, ownerId)).for('no key update');
      const isOwn = eq(savedSearches.ownerId, ownerId);
      const [replaced] = await tx
        .update(savedSearches)
        .set(search)
        .where(and(isOwn, eq(savedSearches.scope, scope), sql`lower(${savedSearches.name}) = lower(${name})`))
        .returning();
      if (replaced) return toSavedSearch(replaced);
      const [kept] = await tx.select({ searches: count() }).from(savedSearches).where(isOwn);
      if ((kept?.searches ?? 0) >= savedSearchLimits.perPerson) return null;
      const [row] = await tx
        .insert(savedSearches)
        .values({ ownerId, ...search })
        .returning();
      return toSavedSearch(row!);
    });
  }

  async change(id: number, change: Partial<Omit<SavedSearch, 'id' | 'scope'>>): Promise<boolean> {
    try {
      await this.#db.update(savedSearches).set(change).where(eq(savedSearches.id, id));
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async delete(id: number): Promise<void> {
    await this.#db.delete(savedSearches).where(eq(savedSearches.id, id));
  }

  async look(viewerId: string, id: number, at: Date): Promise<void> {
    // None for one that somebody has just deleted.
    await this.#db.execute(sql`
      insert into ${savedSearchLooks} (search_id, account_id, looked_at)
      select id, ${viewerId}::uuid, ${at.toISOString()}::timestamptz from ${savedSearches} where id = ${id}
      on conflict (search_id, account_id) do update set looked_at = excluded.looked_at`);
  }

  async #found(viewerId: string, where: SQL | undefined): Promise<FoundSearch[]> {
    const isViewers = and(eq(savedSearchLooks.searchId, savedSearches.id), eq(savedSearchLooks.accountId, viewerId));
    const rows = await this.#db
      .select({
        search: savedSearches,
        owner: { id: accounts.id, email: accounts.email, displayName: accounts.displayName },
        lookedAt: savedSearchLooks.lookedAt,
      })
      .from(savedSearches)
      .innerJoin(accounts, eq(accounts.id, savedSearches.ownerId))
      .leftJoin(savedSearchLooks, isViewers)
      .where(and(isSeenBy(viewerId), where))
      .orderBy(asc(sql`lower(${savedSearches.name})`), asc(savedSearches.id));
    return rows.map(({ search, owner, lookedAt }) => ({ ...toSavedSearch(search), owner, lookedAt }));
  }
}

function isSeenBy(viewerId: string): SQL | undefined {
  return or(eq(savedSearches.ownerId, viewerId), sql`${savedSearches.isShared}`);
}

function toSavedSearch({ ownerId: _owner, ...search }: typeof savedSearches.$inferSelect): SavedSearch {
  return search;
}
