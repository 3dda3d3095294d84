import type { SessionStore, StoredSession } from '@svc/application/auth/session-store.ts';
import type { Account } from '@svc/domain';
import { and, desc, eq, gte, inArray, lt, ne } from 'drizzle-orm';
import { toAccount } from './account-repository.ts';
import type { Database } from '../database.ts';
import { accounts, sessions } from '../schema/index.ts';
import { deleteRows } from '../delete-rows.ts';

export class PgSessionStore implements SessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create(session: StoredSession, most: number): Promise<void> {
    await this.#db.insert(sessions).values(session);
    const surplus = this.#db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.accountId, session.accountId))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
      .offset(most);
    await this.#db.delete(sessions).where(inArray(sessions.id, surplus));
  }

  async find(id: string): Promise<{ session: StoredSession; account: Account } | null> {
    const [row] = await this.#db
      .select({ session: sessions, account: accounts })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(eq(sessions.id, id));
    return row ? { session: row.session, account: toAccount(row.account) } : null;
  }

  async note(id: string, seen: Partial<Pick<StoredSession, 'lastUsedAt' | 'confirmedAt'>>): Promise<void> {
    await this.#db.update(sessions).set(seen).where(eq(sessions.id, id));
  }

  async list(accountId: string, since: Date): Promise<readonly StoredSession[]> {
    return this.#db
      .select()
      .from(sessions)
      .where(and(eq(sessions.accountId, accountId), gte(sessions.createdAt, since)))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id));
  }

  async end(accountId: string, id: string): Promise<boolean> {
    const ended = await this.#db
      .delete(sessions)
      .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
      .returning({ id: sessions.id });
    return ended.length > 0;
  }

  async endOthers(accountId: string, id: string): Promise<number> {
    const ended = await this.#db
      .delete(sessions)
      .where(and(eq(sessions.accountId, accountId), ne(sessions.id, id)))
      .returning({ id: sessions.id });
    return ended.length;
  }

  removeExpired(before: Date): Promise<number> {
    return deleteRows(this.#db, sessions, lt(sessions.createdAt, before));
  }
}
