import type {
  SuppressedFindings,
  SuppressedMatches,
  SuppressionHits,
} from '@svc/application/report/suppression-repository.ts';
import { isInForce, type Actor, type Finding, type Suppression } from '@svc/domain';
import { and, asc, countDistinct, eq, gt, inArray, isNull, max, not, or, sql, sum, count, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { noteFoundBy } from '../intel/found-entities.ts';
import { rowsOf } from '../rows-of.ts';
import { caseJobs, findings, jobs, suppressedFindings, suppressions, taskResults } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';
import { findingColumns, standing } from './finding-columns.ts';
import { suppressionsWhere } from './suppression-repository.ts';

/** Marks of one that has ended, which are taken away at once. */
const marksAtOnce = 500;

export class PgSuppressedFindings implements SuppressedFindings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  inForce(jobId: number, at: Date): Promise<readonly Suppression[]> {
    const cases = this.#db.select({ id: caseJobs.caseId }).from(caseJobs).where(eq(caseJobs.jobId, jobId));
    return suppressionsWhere(
      this.#db,
      and(
        or(isNull(suppressions.caseId), inArray(suppressions.caseId, cases)),
        isNull(suppressions.removedAt),
        or(isNull(suppressions.expiresAt), gt(suppressions.expiresAt, at)),
      ),
      sql`${suppressions.caseId} nulls first`,
      asc(suppressions.id),
    );
  }

  ofRules(jobId: number, ruleIds: readonly string[]): Promise<readonly Finding[]> {
    return this.#db
      .select(findingColumns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(and(eq(findings.jobId, jobId), inArray(findings.ruleId, [...ruleIds]), standing))
      .orderBy(asc(findings.id));
  }

  async jobsAfter(suppression: Suppression, after: number, most: number, at: Date): Promise<readonly number[]> {
    const { id, caseId, ruleId } = suppression;
    if (!isInForce(suppression, at)) {
      const marked = await rowsOf<{ id: number }>(
        this.#db,
        sql`select distinct job_id as id from ${findings} where id in (
          select finding_id from ${suppressedFindings} where suppression_id = ${id} limit ${marksAtOnce}) order by 1`,
      );
      return marked.map((row) => row.id);
    }
    const members = this.#db.select({ id: caseJobs.jobId }).from(caseJobs);
    const rows = await this.#db
      .selectDistinct({ id: findings.jobId })
      .from(findings)
      .where(
        and(
          eq(findings.ruleId, ruleId),
          gt(findings.jobId, after),
          caseId === null ? undefined : inArray(findings.jobId, members.where(eq(caseJobs.caseId, caseId))),
        ),
      )
      .orderBy(asc(findings.jobId))
      .limit(most);
    return rows.map((row) => row.id);
  }

  async mark(findingId: number, by: readonly SuppressedMatches[]): Promise<void> {
    await this.#db.delete(suppressedFindings).where(eq(suppressedFindings.findingId, findingId));
    const there = await this.#holdSuppressions(by.map(({ suppression }) => suppression.id));
    const rows = by.flatMap(({ suppression: { id }, events }) =>
      there.has(id) ? { findingId, suppressionId: id, events } : [],
    );
    if (rows.length > 0) await insertRows(this.#db, suppressedFindings, rows);
    await this.#count(findingId);
  }

  async keep(findingId: number, suppressionIds: readonly number[]): Promise<void> {
    const { findingId: of, suppressionId } = suppressedFindings;
    await this.#db
      .delete(suppressedFindings)
      .where(and(eq(of, findingId), not(inArray(suppressionId, [...suppressionIds]))));
    await this.#count(findingId);
  }

  async noteEntities(findingIds: readonly number[]): Promise<void> {
    await noteFoundBy(this.#db, findingIds);
  }

  /** Those of them that are still there, and stay until the transaction ends. */
  async #holdSuppressions(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .select({ id: suppressions.id })
      .from(suppressions)
      .where(inArray(suppressions.id, [...ids]))
      .for('key share');
    return new Set(rows.map(({ id }) => id));
  }

  async #count(findingId: number): Promise<void> {
    await this.#db.execute(sql`
      update ${findings} set suppressed = least(count, coalesce((
        select sum(marked.events) from ${suppressedFindings} marked
        join ${suppressions} own on own.id = marked.suppression_id and own.case_id is null
        where marked.finding_id = ${findingId}), 0))
      where id = ${findingId}`);
  }

  async reopen(caseId: number): Promise<void> {
    await this.#db.update(suppressions).set({ appliedAt: null }).where(eq(suppressions.caseId, caseId));
  }

  async hits(viewer: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, SuppressionHits>> {
    const rows = await this.#db
      .select({
        id: suppressedFindings.suppressionId,
        findings: count(),
        events: sum(suppressedFindings.events).mapWith(Number),
        jobs: countDistinct(findings.jobId),
        lastAt: max(jobs.createdAt),
      })
      .from(suppressedFindings)
      .innerJoin(findings, eq(findings.id, suppressedFindings.findingId))
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(and(inArray(suppressedFindings.suppressionId, [...ids]), visibleTo(viewer)))
      .groupBy(suppressedFindings.suppressionId);
    return new Map(rows.map(({ id, lastAt, ...hits }) => [id, { ...hits, lastAt: lastAt! }]));
  }
}

/** As `counting`, where a case has suppressed matches besides. */
export function countingIn(caseId: number): SQL {
  const ofCase = sql`(select sum(marked.events) from ${suppressedFindings} marked
    join ${suppressions} own on own.id = marked.suppression_id
    where marked.finding_id = ${findings.id} and own.case_id = ${caseId})`;
  return sql`(${standing} and ${findings.count} > ${findings.suppressed} + coalesce(${ofCase}, 0))`;
}
