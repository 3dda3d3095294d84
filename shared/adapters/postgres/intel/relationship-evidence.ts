import type { EntityPart } from '@svc/application/intel/entity-links.ts';
import type { EvidenceJob, Relationship, RelationshipEvidence } from '@svc/application/intel/relationship-evidence.ts';
import type { Actor } from '@svc/domain';
import { and, asc, count, desc, eq, inArray, isNull, max, min, sum, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import {
  entities,
  entityFindings,
  entityJobLinks,
  findings,
  jobs,
  relationshipEvidence,
  relationships,
} from '../schema/index.ts';
import { counting } from '../report/finding-columns.ts';
import { visibleTo } from '../visible.ts';
import { placed } from './placed.ts';

/** Findings of a job that are shown of a relationship. */
const mostFindings = 5;

export class PgRelationshipEvidence implements RelationshipEvidence {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: number): Promise<Relationship | null> {
    const [source, target] = [alias(entities, 'source'), alias(entities, 'target')];
    const end = (of: typeof source | typeof target) => ({ id: of.id, value: of.value, type: of.type });
    const [row] = await this.#db
      .select({
        id: relationships.id,
        type: relationships.type,
        source: end(source),
        target: end(target),
        occurrences: relationships.occurrenceCount,
        firstSeenAt: relationships.firstSeenAt,
        lastSeenAt: relationships.lastSeenAt,
      })
      .from(relationships)
      .innerJoin(source, eq(source.id, relationships.sourceId))
      .innerJoin(target, eq(target.id, relationships.targetId))
      .where(eq(relationships.id, id));
    return row ?? null;
  }

  async jobs(viewer: Actor, of: Relationship, part: EntityPart): ReturnType<RelationshipEvidence['jobs']> {
    const other = alias(entityJobLinks, 'other');
    const shows = and(
      eq(relationshipEvidence.relationshipId, of.id),
      eq(relationshipEvidence.jobId, entityJobLinks.jobId),
    );
    const bothNamed = this.#db
      .select({
        jobId: entityJobLinks.jobId,
        isSilent: sql<boolean>`${isNull(relationshipEvidence.jobId)}`.as('silent'),
      })
      .from(entityJobLinks)
      .innerJoin(other, and(eq(other.jobId, entityJobLinks.jobId), eq(other.entityId, of.target.id)))
      .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
      .leftJoin(relationshipEvidence, shows)
      .where(and(eq(entityJobLinks.entityId, of.source.id), visibleTo(viewer)))
      .as('named');
    const [counted] = await this.#db.select({ total: count() }).from(bothNamed);
    const { page, offset, total } = placed(part, counted?.total);
    const rows = await this.#db
      .select({ jobId: bothNamed.jobId })
      .from(bothNamed)
      .orderBy(asc(bothNamed.isSilent), desc(bothNamed.jobId))
      .limit(part.per)
      .offset(offset);
    const ids = rows.map(({ jobId }) => jobId);
    const [shown, found] = await Promise.all([this.#shownIn(of, ids), this.#findingsOf(of, ids)]);
    return {
      page,
      total,
      jobs: ids.map((jobId) => ({ jobId, shown: shown.get(jobId) ?? null, findings: found.get(jobId) ?? [] })),
    };
  }

  async span(viewer: Actor, id: number): ReturnType<RelationshipEvidence['span']> {
    const [row] = await this.#db
      .select({
        occurrences: sum(relationshipEvidence.occurrenceCount).mapWith(Number),
        jobs: count(),
        from: min(relationshipEvidence.observedFrom),
        to: max(relationshipEvidence.observedTo),
      })
      .from(relationshipEvidence)
      .innerJoin(jobs, eq(jobs.id, relationshipEvidence.jobId))
      .where(and(eq(relationshipEvidence.relationshipId, id), visibleTo(viewer)));
    const { from = null, to = null } = row ?? {};
    // Of events of which one end alone has a time, that is both.
    return { occurrences: row?.occurrences ?? 0, jobs: row?.jobs ?? 0, from: from ?? to, to: to ?? from };
  }

  async #shownIn(of: Relationship, ids: readonly number[]): Promise<Map<number, NonNullable<EvidenceJob['shown']>>> {
    const rows = await this.#db
      .select()
      .from(relationshipEvidence)
      .where(and(eq(relationshipEvidence.relationshipId, of.id), inArray(relationshipEvidence.jobId, [...ids])));
    return new Map(
      rows.map((row) => [
        row.jobId,
        {
          occurrences: row.occurrenceCount,
          failed: row.failedCount,
          from: row.observedFrom,
          to: row.observedTo,
          events: row.sampleEvents,
        },
      ]),
    );
  }

  /** Those that count, by job, the worst first. */
  async #findingsOf(of: Relationship, ids: readonly number[]): Promise<Map<number, EvidenceJob['findings']>> {
    const other = alias(entityFindings, 'other');
    const order = sql`${findings.severityRank}, ${findings.ruleName}, ${findings.id}`;
    const ranked = this.#db
      .select({
        id: findings.id,
        jobId: findings.jobId,
        ruleName: findings.ruleName,
        severity: findings.severity,
        place: sql<number>`row_number() over (partition by ${findings.jobId} order by ${order})`.as('place'),
      })
      .from(entityFindings)
      .innerJoin(other, and(eq(other.findingId, entityFindings.findingId), eq(other.entityId, of.target.id)))
      .innerJoin(findings, eq(findings.id, entityFindings.findingId))
      .where(and(eq(entityFindings.entityId, of.source.id), inArray(entityFindings.jobId, [...ids]), counting))
      .as('ranked');
    const rows = await this.#db
      .select()
      .from(ranked)
      .where(sql`${ranked.place} <= ${mostFindings}`)
      .orderBy(asc(ranked.jobId), asc(ranked.place));
    const byJob = new Map<number, EvidenceJob['findings'][number][]>();
    for (const { jobId, id, ruleName, severity } of rows) {
      byJob.set(jobId, [...(byJob.get(jobId) ?? []), { id, ruleName, severity }]);
    }
    return byJob;
  }
}
