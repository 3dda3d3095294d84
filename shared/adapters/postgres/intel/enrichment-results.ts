import type { EnrichmentResult, EnrichmentResults } from '@svc/application/intel/enrichment/enrichment-results.ts';
import { and, count, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { enrichmentServices, entities, entityEnrichments } from '../schema/index.ts';
import { storableJson, storableText } from '../text.ts';

export class PgEnrichmentResults implements EnrichmentResults {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  of(entityId: number): Promise<readonly EnrichmentResult[]> {
    const { response, errorMessage, ...rest } = columns;
    return this.#db
      .select({ ...rest, error: errorMessage, hasRaw: sql<boolean>`${response} is not null` })
      .from(entityEnrichments)
      .where(eq(entityEnrichments.entityId, entityId));
  }

  async raw(entityId: number, serviceId: number): Promise<{ raw: string; fetchedAt: Date } | null> {
    const [row] = await this.#db
      .select({ raw: columns.response, fetchedAt: columns.fetchedAt })
      .from(entityEnrichments)
      .where(
        and(eq(columns.entityId, entityId), eq(columns.serviceId, serviceId), isNotNull(entityEnrichments.response)),
      );
    return row ? { raw: row.raw!, fetchedAt: row.fetchedAt } : null;
  }

  async save({ error, ...result }: Omit<EnrichmentResult, 'hasRaw'>, raw: string | null): Promise<void> {
    const said = {
      ...result,
      summary: storableJson(result.summary),
      response: raw === null ? null : storableText(raw),
      errorMessage: error === null ? null : storableText(error),
    };
    const { entityId, serviceId, ...set } = said;
    await this.#db.transaction(async (tx) => {
      // Either may have gone meanwhile; held, so that they do not now.
      const [there] = await tx
        .select({ id: entities.id })
        .from(entities)
        .innerJoin(enrichmentServices, eq(enrichmentServices.id, serviceId))
        .where(eq(entities.id, entityId))
        .for('key share');
      if (!there) return;
      await tx
        .insert(entityEnrichments)
        .values(said)
        .onConflictDoUpdate({ target: [entityEnrichments.entityId, entityEnrichments.serviceId], set });
    });
  }

  async fresh(serviceId: number, entityIds: readonly number[], now: Date): Promise<ReadonlySet<number>> {
    const rows = await this.#db
      .select({ id: columns.entityId })
      .from(entityEnrichments)
      .where(
        and(
          eq(columns.serviceId, serviceId),
          sql`${columns.entityId} = any(${anArray('integer', entityIds)})`,
          gt(columns.expiresAt, now),
        ),
      );
    return new Set(rows.map(({ id }) => id));
  }

  async counts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#db
      .select({ id: columns.serviceId, many: count() })
      .from(entityEnrichments)
      .groupBy(columns.serviceId);
    return new Map(rows.map(({ id, many }) => [id, many]));
  }

  async removeFetched(before: Date): Promise<number> {
    const rows = await this.#db
      .delete(entityEnrichments)
      .where(lt(columns.fetchedAt, before))
      .returning({ id: columns.entityId });
    return rows.length;
  }
}

const { entityId, serviceId, response, summary, verdict, ok, errorMessage, fetchedAt, expiresAt } = entityEnrichments;
const columns = { entityId, serviceId, response, summary, verdict, ok, errorMessage, fetchedAt, expiresAt };
