import type { AccountChanges, AccountRepository, NewAccount } from '@svc/application/auth/account-repository.ts';
import { AppError, type Account } from '@svc/domain';
import { and, asc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { watchEntities } from '../alerts/watch-entities.ts';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { isUniqueViolation, reasonOf } from '../errors.ts';
import { accounts, alertRules, sessions } from '../schema/index.ts';

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export class PgAccountRepository implements AccountRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: string): Promise<Account | null> {
    const [row] = await this.#db.select().from(accounts).where(eq(accounts.id, id));
    return row ? toAccount(row) : null;
  }

  async findByEmail(email: string): Promise<Account | null> {
    const [row] = await this.#db
      .select()
      .from(accounts)
      .where(sql`lower(${accounts.email}) = lower(${email})`);
    return row ? toAccount(row) : null;
  }

  async list(): Promise<Account[]> {
    const rows = await this.#db
      .select()
      .from(accounts)
      .orderBy(asc(sql`lower(${accounts.email})`));
    return rows.map(toAccount);
  }

  async hasActiveAdmin(): Promise<boolean> {
    const rows = await this.#db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.role, 'admin'), accounts.isActive))
      .limit(1);
    return rows.length > 0;
  }

  async create(account: NewAccount): Promise<Account> {
    try {
      const [row] = await this.#db.insert(accounts).values(account).returning();
      if (!row) throw new Error('the account was not stored');
      return toAccount(row);
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      throw emailTaken(cause);
    }
  }

  async update(id: string, changes: AccountChanges): Promise<Account | null> {
    // Nothing to set is no SQL.
    if (Object.keys(changes).length === 0) return this.get(id);
    const set = { ...changes, ...(changes.passwordHash !== undefined && { passwordChangedAt: new Date() }) };
    try {
      return await this.#keepingAnAdmin(async (tx) => {
        await endSessions(tx, id, changes);
        const [row] = await tx.update(accounts).set(set).where(eq(accounts.id, id)).returning();
        return row ? toAccount(row) : null;
      });
    } catch (cause) {
      if (isUniqueViolation(cause)) throw emailTaken(cause);
      throw cause;
    }
  }

  async delete(id: string): Promise<boolean> {
    return this.#keepingAnAdmin(async (tx) => {
      const starred = await tx
        .select({ id: alertRules.autoEntityId })
        .from(alertRules)
        .where(and(eq(alertRules.ownerId, id), isNotNull(alertRules.autoEntityId)));
      const deleted = await tx.delete(accounts).where(eq(accounts.id, id)).returning({ id: accounts.id });
      await watchEntities(
        tx,
        sql`select unnest(${anArray(
          'integer',
          starred.map((rule) => rule.id),
        )})`,
      );
      return deleted.length > 0;
    });
  }

  /** Undoes a change that leaves no active administrator; two at once wait for each other. */
  async #keepingAnAdmin<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    const admins = and(eq(accounts.role, 'admin'), accounts.isActive);
    return this.#db.transaction(async (tx) => {
      const before = await tx
        .select({ id: accounts.id })
        .from(accounts)
        .where(admins)
        .orderBy(accounts.id)
        .for('update');
      const result = await change(tx);
      const after = await tx.select({ id: accounts.id }).from(accounts).where(admins).limit(1);
      if (before.length > 0 && after.length === 0) {
        throw new AppError('last_admin', 'There would be no active administrator left');
      }
      return result;
    });
  }
}

/** Ends all sessions of an account whose password, role or activity is about to change. */
async function endSessions(tx: Transaction, id: string, { passwordHash, isActive, role }: AccountChanges) {
  const ends = passwordHash !== undefined || isActive === false;
  if (!ends && role === undefined) return;
  const changed = tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, id), ends ? undefined : ne(accounts.role, role!)));
  await tx.delete(sessions).where(inArray(sessions.accountId, changed));
}

function emailTaken(cause: unknown): AppError {
  return new AppError('email_taken', 'There is an account with this address already', { cause: reasonOf(cause) });
}

/** A row as the domain knows it. */
export function toAccount(row: typeof accounts.$inferSelect): Account {
  const { passwordChangedAt: _changed, ...account } = row;
  return account;
}
