import type { ApiTokenRepository, NewApiToken, StoredApiToken } from '@svc/application/auth/api-token-repository.ts';
import type { ApiToken } from '@svc/domain';
import { and, desc, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, apiTokens } from '../schema/index.ts';
import { deleteRows } from '../delete-rows.ts';

export class PgApiTokenRepository implements ApiTokenRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create({ creatorId, ...token }: NewApiToken): Promise<ApiToken> {
    const [row] = await this.#db
      .insert(apiTokens)
      .values({ ...token, scopes: [...token.scopes], createdBy: creatorId })
      .returning();
    if (!row) throw new Error('the token was not stored');
    return toToken(row);
  }

  list(): Promise<StoredApiToken[]> {
    return this.#select();
  }

  async findByDigest(digest: string): Promise<StoredApiToken | null> {
    const [found] = await this.#select(eq(apiTokens.digest, digest));
    return found ?? null;
  }

  async revoke(id: number, at: Date): Promise<boolean> {
    const revoked = await this.#db
      .update(apiTokens)
      .set({ revokedAt: sql`coalesce(${apiTokens.revokedAt}, ${at.toISOString()})` })
      .where(eq(apiTokens.id, id))
      .returning({ id: apiTokens.id });
    return revoked.length > 0;
  }

  removeRevoked(before: Date): Promise<number> {
    return deleteRows(this.#db, apiTokens, lt(apiTokens.revokedAt, before));
  }

  async touch(id: number, at: Date): Promise<void> {
    const minuteAgo = new Date(at.getTime() - 60_000);
    await this.#db
      .update(apiTokens)
      .set({ lastUsedAt: at })
      .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, minuteAgo))));
  }

  async #select(where?: SQL): Promise<StoredApiToken[]> {
    const rows = await this.#db
      .select()
      .from(apiTokens)
      .leftJoin(accounts, eq(accounts.id, apiTokens.createdBy))
      .where(where)
      .orderBy(desc(apiTokens.id));
    return rows.map(({ api_tokens: token, accounts: creator }) => ({
      token: toToken(token),
      creator: creator && { id: creator.id, email: creator.email, role: creator.role, isActive: creator.isActive },
    }));
  }
}

function toToken({ digest: _digest, createdBy: _creator, ...token }: typeof apiTokens.$inferSelect): ApiToken {
  return token;
}
