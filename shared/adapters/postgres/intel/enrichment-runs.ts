import type { EnrichmentRun, EnrichmentRuns } from '@svc/application/intel/enrichment/enrichment-runs.ts';
import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { EntityType } from '@svc/domain';
import type { Database } from '../database.ts';
import { caseEntities, enrichmentRuns, entities } from '../schema/index.ts';

export class PgEnrichmentRuns implements EnrichmentRuns {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(run: Omit<EnrichmentRun, 'id'>): Promise<number> {
    const [row] = await this.#db
      .insert(enrichmentRuns)
      .values({ ...run, entityIds: [...run.entityIds] })
      .returning({ id: enrichmentRuns.id });
    return row!.id;
  }

  async get(id: number): Promise<EnrichmentRun | null> {
    const [row] = await this.#db.select().from(enrichmentRuns).where(eq(enrichmentRuns.id, id));
    return row ?? null;
  }

  lastOf(caseId: number): Promise<readonly EnrichmentRun[]> {
    return this.#db
      .selectDistinctOn([enrichmentRuns.serviceId])
      .from(enrichmentRuns)
      .where(eq(enrichmentRuns.caseId, caseId))
      .orderBy(enrichmentRuns.serviceId, desc(enrichmentRuns.id));
  }

  async entitiesOf(caseId: number, types: readonly EntityType[], most: number): Promise<readonly number[]> {
    const rows = await this.#db
      .select({ id: entities.id })
      .from(caseEntities)
      .innerJoin(entities, eq(entities.id, caseEntities.entityId))
      .where(
        and(
          eq(caseEntities.caseId, caseId),
          inArray(entities.type, [...types]),
          // Nobody outside knows an address of a private network, and nobody should learn of it.
          sql`(${entities.type} <> 'ip_address' or 'public' = any(${entities.attributeKeys}))`,
        ),
      )
      .orderBy(asc(entities.id))
      .limit(most);
    return rows.map(({ id }) => id);
  }

  async removeBegun(before: Date): Promise<number> {
    const rows = await this.#db
      .delete(enrichmentRuns)
      .where(lt(enrichmentRuns.createdAt, before))
      .returning({ id: enrichmentRuns.id });
    return rows.length;
  }
}
