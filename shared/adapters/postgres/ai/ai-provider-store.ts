import type { AiProviderFields, AiProviderStore } from '@svc/application/ai/ai-provider-store.ts';
import { AppError, type AiProvider } from '@svc/domain';
import { eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { aiProviders } from '../schema/index.ts';
import { storableText } from '../text.ts';

export class PgAiProviderStore implements AiProviderStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(): Promise<readonly AiProvider[]> {
    const rows = await this.#db
      .select()
      .from(aiProviders)
      .orderBy(sql`lower(${aiProviders.name})`);
    return rows.map(providerOf);
  }

  async get(id: number): Promise<AiProvider | null> {
    const [row] = await this.#db.select().from(aiProviders).where(eq(aiProviders.id, id));
    return row ? providerOf(row) : null;
  }

  async add(fields: AiProviderFields, at: Date): Promise<number> {
    const [row] = await this.#db
      .insert(aiProviders)
      .values({ ...storable(fields), isDefault: false, createdAt: at, updatedAt: at })
      .returning({ id: aiProviders.id })
      .catch(named);
    return row!.id;
  }

  async change(id: number, fields: Partial<AiProviderFields>, at: Date): Promise<void> {
    await this.#db
      .update(aiProviders)
      .set({ ...storable(fields), updatedAt: at })
      .where(eq(aiProviders.id, id))
      .catch(named);
  }

  async makeDefault(id: number): Promise<void> {
    await this.#db.update(aiProviders).set({ isDefault: false }).where(ne(aiProviders.id, id));
    await this.#db.update(aiProviders).set({ isDefault: true }).where(eq(aiProviders.id, id));
  }

  async keepToken(id: number, sealed: string | null): Promise<void> {
    await this.#db.update(aiProviders).set({ sealedToken: sealed }).where(eq(aiProviders.id, id));
  }

  async sealedToken(id: number): Promise<string | null> {
    const [row] = await this.#db
      .select({ sealed: aiProviders.sealedToken })
      .from(aiProviders)
      .where(eq(aiProviders.id, id));
    return row?.sealed ?? null;
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(aiProviders).where(eq(aiProviders.id, id));
  }
}

function providerOf({ sealedToken, temperature, ...row }: typeof aiProviders.$inferSelect): AiProvider {
  // The column holds a single-precision number.
  return { ...row, temperature: Number(temperature.toPrecision(6)), hasToken: sealedToken !== null };
}

/** Texts as PostgreSQL holds them. */
function storable<T extends Partial<AiProviderFields>>(fields: T): T {
  const pairs = Object.entries(fields) as [string, unknown][];
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  ) as T;
}

function named(error: unknown): never {
  if (isUniqueViolation(error)) throw new AppError('conflict', 'There is an AI provider with this name already');
  throw error;
}
