import type { FoundSearch, SavedSearchRepository } from '@svc/application/jobs/saved-search-repository.ts';
import { savedSearchLimits, type SavedSearch, type SearchScope } from '@svc/domain';
import { and, asc, count, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { accounts, savedSearches, savedSearchLooks } from '../schema/index.ts';

export class PgSavedSearchRepository implements SavedSearchRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(viewerId: string, scope: SearchScope | null): Promise<FoundSearch[]> {
    return this.#found(viewerId, scope === null ? undefined : eq(savedSearches.scope, scope));
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
    const isSeen = or(eq(savedSearches.ownerId, viewerId), savedSearches.isShared);
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
      .where(and(isSeen, where))
      .orderBy(asc(sql`lower(${savedSearches.name})`), asc(savedSearches.id));
    return rows.map(({ search, owner, lookedAt }) => ({ ...toSavedSearch(search), owner, lookedAt }));
  }
}

function toSavedSearch({ ownerId: _owner, ...search }: typeof savedSearches.$inferSelect): SavedSearch {
  return search;
}
