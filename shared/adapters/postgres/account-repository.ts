import type { AccountRepository, NewAccount } from '@svc/application/ports/account-repository.ts';
import { AppError, type Account } from '@svc/domain';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { isUniqueViolation } from './errors.ts';
import { accounts } from './schema/index.ts';

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
      throw new AppError('conflict', 'There is an account with this address already', { cause });
    }
  }
}

function toAccount(row: typeof accounts.$inferSelect): Account {
  const { createdAt: _created, passwordChangedAt: _changed, ...account } = row;
  return account;
}
