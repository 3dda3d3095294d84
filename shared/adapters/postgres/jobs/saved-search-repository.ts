import type { SavedSearchRepository } from '@svc/application/jobs/saved-search-repository.ts';
import { savedSearchLimits, type SavedSearch, type SearchScope } from '@svc/domain';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, savedSearches } from '../schema/index.ts';

export class PgSavedSearchRepository implements SavedSearchRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(ownerId: string, scope: SearchScope): Promise<SavedSearch[]> {
    const rows = await this.#db
      .select()
      .from(savedSearches)
      .where(and(eq(savedSearches.ownerId, ownerId), eq(savedSearches.scope, scope)))
      .orderBy(asc(sql`lower(${savedSearches.name})`));
    return rows.map(toSavedSearch);
  }

  async save(ownerId: string, search: Omit<SavedSearch, 'id'>): Promise<SavedSearch | null> {
    const { name, scope, query, updatedAt } = search;
    return this.#db.transaction(async (tx) => {
      // Two at once take turns, so that neither passes the limit nor makes a second of the name.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, ownerId)).for('no key update');
      const isOwn = eq(savedSearches.ownerId, ownerId);
      const [replaced] = await tx
        .update(savedSearches)
        .set({ name, query, updatedAt })
        .where(and(isOwn, eq(savedSearches.scope, scope), sql`lower(${savedSearches.name}) = lower(${name})`))
        .returning();
      if (replaced) return toSavedSearch(replaced);
      const [kept] = await tx.select({ searches: count() }).from(savedSearches).where(isOwn);
      if ((kept?.searches ?? 0) >= savedSearchLimits.perPerson) return null;
      const [row] = await tx.insert(savedSearches).values({ ownerId, name, scope, query, updatedAt }).returning();
      return toSavedSearch(row!);
    });
  }

  async delete(ownerId: string, id: number): Promise<boolean> {
    const deleted = await this.#db
      .delete(savedSearches)
      .where(and(eq(savedSearches.ownerId, ownerId), eq(savedSearches.id, id)))
      .returning({ id: savedSearches.id });
    return deleted.length > 0;
  }
}

function toSavedSearch({ ownerId: _owner, ...search }: typeof savedSearches.$inferSelect): SavedSearch {
  return search;
}
