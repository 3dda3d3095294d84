import type { CaseRepository, NewCase } from '@svc/application/cases/case-repository.ts';
import type { Actor, Case, CaseStatus } from '@svc/domain';
import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { caseCollaborators, caseEntities, caseJobs, cases, jobs } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';

const asCase = {
  ...getTableColumns(cases),
  collaboratorIds: sql<string[]>`array(
    select ${caseCollaborators.accountId} from ${caseCollaborators}
    where ${caseCollaborators.caseId} = ${cases.id} order by ${caseCollaborators.addedAt}
  )`,
};

export class PgCaseRepository implements CaseRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create({ at, ...wanted }: NewCase): Promise<Case> {
    const [row] = await this.#db
      .insert(cases)
      .values({ ...wanted, name: storableText(wanted.name), createdAt: at, updatedAt: at })
      .returning();
    if (!row) throw new Error('the case was not stored');
    return { ...row, collaboratorIds: [] };
  }

  async hold(id: number): Promise<boolean> {
    const held = await this.#db.select({ id: cases.id }).from(cases).where(eq(cases.id, id)).for('no key update');
    return held.length > 0;
  }

  async link(caseId: number, { jobId, by, at }: { jobId: number; by: string | null; at: Date }): Promise<void> {
    const linked = await this.#db
      .insert(caseJobs)
      .values({ caseId, jobId, addedBy: by, addedAt: at })
      .onConflictDoNothing()
      .returning({ jobId: caseJobs.jobId });
    if (linked.length > 0) await this.#db.update(cases).set({ updatedAt: at }).where(eq(cases.id, caseId));
  }

  async linkEntities(
    caseId: number,
    ids: readonly number[],
    { by, at }: { readonly by: string | null; readonly at: Date },
  ): Promise<number> {
    if (ids.length === 0) return 0;
    const linked = await this.#db
      .insert(caseEntities)
      .values(ids.map((entityId) => ({ caseId, entityId, addedBy: by, addedAt: at })))
      .onConflictDoNothing()
      .returning({ id: caseEntities.entityId });
    if (linked.length > 0) await this.#db.update(cases).set({ updatedAt: at }).where(eq(cases.id, caseId));
    return linked.length;
  }

  async ofJob(jobId: number): Promise<readonly number[]> {
    const rows = await this.#db.select({ id: caseJobs.caseId }).from(caseJobs).where(eq(caseJobs.jobId, jobId));
    return rows.map(({ id }) => id);
  }

  async touch(ids: readonly number[], at: Date): Promise<void> {
    const changed = inArray(cases.id, [...ids]);
    // In one order, as several jobs of the same cases may go at once.
    await this.#db.select({ id: cases.id }).from(cases).where(changed).orderBy(cases.id).for('no key update');
    await this.#db.update(cases).set({ updatedAt: at }).where(changed);
  }

  async get(id: number): Promise<Case | null> {
    const [row] = await this.#db.select(asCase).from(cases).where(eq(cases.id, id));
    return row ?? null;
  }

  async count(viewer: Actor, id: number): Promise<{ entities: number; jobs: number }> {
    const seen = this.#db
      .select({ id: jobs.id })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .where(and(eq(caseJobs.caseId, id), visibleTo(viewer)));
    return {
      entities: await this.#db.$count(caseEntities, eq(caseEntities.caseId, id)),
      jobs: await this.#db.$count(seen.as('seen')),
    };
  }

  async list(viewer: Actor, { statuses, limit }: { statuses: readonly CaseStatus[]; limit: number }): Promise<Case[]> {
    return this.#db
      .select(asCase)
      .from(cases)
      .where(and(inArray(cases.status, [...statuses]), caseVisibleTo(viewer)))
      .orderBy(desc(cases.updatedAt), desc(cases.id))
      .limit(limit);
  }
}

type NamedCase = Pick<Case, 'id' | 'name'>;
const casesShown = 10;

/** Cases that hold each of these jobs and the viewer sees, newest updated first, at most 10. */
export async function casesOf(
  db: Database,
  viewer: Actor,
  jobIds: readonly number[],
): Promise<Map<number, NamedCase[]>> {
  const rows = await db
    .select({ jobId: caseJobs.jobId, id: cases.id, name: cases.name })
    .from(caseJobs)
    .innerJoin(cases, eq(cases.id, caseJobs.caseId))
    .where(and(inArray(caseJobs.jobId, [...jobIds]), caseVisibleTo(viewer)))
    .orderBy(desc(cases.updatedAt), desc(cases.id));
  const byJob = new Map<number, NamedCase[]>();
  for (const { jobId, ...named } of rows) byJob.set(jobId, [...(byJob.get(jobId) ?? []), named].slice(0, casesShown));
  return byJob;
}
