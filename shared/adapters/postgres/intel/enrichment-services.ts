import type {
  Asked,
  EnrichmentService,
  EnrichmentServices,
} from '@svc/application/intel/enrichment/enrichment-services.ts';
import { AppError, type EnrichmentContent } from '@svc/domain';
import { and, asc, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { enrichmentServices } from '../schema/index.ts';
import { storableJson } from '../text.ts';

type Row = typeof enrichmentServices.$inferSelect;

export class PgEnrichmentServices implements EnrichmentServices {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(): Promise<readonly EnrichmentService[]> {
    const { displayOrder, name } = enrichmentServices;
    return (await this.#db.select().from(enrichmentServices).orderBy(asc(displayOrder), asc(name))).map(stored);
  }

  async get(id: number): Promise<EnrichmentService | null> {
    const [row] = await this.#db.select().from(enrichmentServices).where(eq(enrichmentServices.id, id));
    return row ? stored(row) : null;
  }

  async add(content: EnrichmentContent, at: Date): Promise<number> {
    const [row] = await this.#db
      .insert(enrichmentServices)
      .values({ ...storableJson(content), createdAt: at, updatedAt: at })
      .returning({ id: enrichmentServices.id })
      .catch(named);
    return row!.id;
  }

  async change(
    id: number,
    change: Partial<EnrichmentContent> & { readonly sealedToken?: string | null },
    at: Date,
  ): Promise<void> {
    const isAnother = ['apiTemplate', 'apiHeaders', 'apiBody', 'sealedToken'].some((field) => field in change);
    await this.#db
      .update(enrichmentServices)
      .set({ ...storableJson(change), ...(isAnother && closed), updatedAt: at })
      .where(eq(enrichmentServices.id, id))
      .catch(named);
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(enrichmentServices).where(eq(enrichmentServices.id, id));
  }

  async admit(id: number, now: Date, until: Date): Promise<boolean> {
    const [row] = await this.#db
      .select({ openUntil: enrichmentServices.openUntil })
      .from(enrichmentServices)
      .where(eq(enrichmentServices.id, id));
    if (!row || (row.openUntil !== null && row.openUntil > now)) return false;
    if (row.openUntil === null) return true;
    const tried = await this.#db
      .update(enrichmentServices)
      .set({ openUntil: until })
      .where(and(eq(enrichmentServices.id, id), lte(enrichmentServices.openUntil, now)))
      .returning({ id: enrichmentServices.id });
    return tried.length > 0;
  }

  async asked(id: number, how: Asked): Promise<void> {
    const { failures, openUntil } = enrichmentServices;
    if (how.ok) {
      await this.#db
        .update(enrichmentServices)
        .set(closed)
        .where(and(eq(enrichmentServices.id, id), or(gt(failures, 0), isNotNull(openUntil))));
      return;
    }
    const set = { failures: sql`${failures} + 1`, lastError: how.error };
    await this.#db
      .update(enrichmentServices)
      .set(how.until === null ? set : { ...set, openUntil: how.until })
      .where(eq(enrichmentServices.id, id));
  }
}

const closed = { failures: 0, openUntil: null, lastError: null } as const;

function named(error: unknown): never {
  if (isUniqueViolation(error)) throw new AppError('conflict', 'There is an enrichment service with this name already');
  throw error;
}

function stored({ failures, openUntil, lastError, ...row }: Row): EnrichmentService {
  return { ...row, circuit: { failures, openUntil, lastError } };
}
