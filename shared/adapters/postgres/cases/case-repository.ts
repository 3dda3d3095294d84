import type { CaseChanges, CaseNarrative, CaseRepository, NewCase } from '@svc/application/cases/case-repository.ts';
import type { Change } from '@svc/application/intel/entity-repository.ts';
import { caseLimits, type Actor, type Case, type CaseStatus } from '@svc/domain';
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, caseCollaborators, caseEntities, caseJobs, caseNarratives, cases, jobs } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';
import { accountName, nameOf, notBefore, worstOf } from './case-columns.ts';

const told = {
  id: cases.id,
  name: cases.name,
  summary: cases.summary,
  status: cases.status,
  severity: cases.severity,
  ownerId: cases.ownerId,
  isShared: cases.isShared,
  narrative: cases.narrative,
  narrativeVersion: cases.narrativeVersion,
  createdAt: cases.createdAt,
  updatedAt: cases.updatedAt,
  closedAt: cases.closedAt,
};

const asCase = {
  ...told,
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
      .values({ ...wanted, ...storable(wanted), name: storableText(wanted.name), createdAt: at, updatedAt: at })
      .returning(told);
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
    if (linked.length > 0) await this.touch([caseId], at);
  }

  async setClock(caseId: number, jobId: number, seconds: number): Promise<boolean> {
    const set = await this.#db
      .update(caseJobs)
      .set({ clockOffset: seconds })
      .where(and(eq(caseJobs.caseId, caseId), eq(caseJobs.jobId, jobId)))
      .returning({ jobId: caseJobs.jobId });
    return set.length > 0;
  }

  async ofJob(jobId: number): Promise<readonly number[]> {
    const rows = await this.#db.select({ id: caseJobs.caseId }).from(caseJobs).where(eq(caseJobs.jobId, jobId));
    return rows.map(({ id }) => id);
  }

  async touch(ids: readonly number[], at: Date): Promise<void> {
    await this.recount(ids);
    await this.#db
      .update(cases)
      .set({ updatedAt: notBefore(at) })
      .where(inArray(cases.id, [...ids]));
  }

  async recount(ids: readonly number[]): Promise<void> {
    const counted = inArray(cases.id, [...ids]);
    // In one order, as several jobs of the same cases may go at once; and first, so that what others committed counts.
    await this.#db.select({ id: cases.id }).from(cases).where(counted).orderBy(cases.id).for('no key update');
    const isOpen = sql`filter (where not ${jobs.isPrivate})`;
    const worst = worstOf(jobs.severitySummary);
    await this.#db.execute(sql`update ${cases} set (findings, worst, shared_findings, shared_worst) = (
      select coalesce(sum(${jobs.totalFindings}), 0), coalesce(max(${worst}), 0),
        coalesce(sum(${jobs.totalFindings}) ${isOpen}, 0), coalesce(max(${worst}) ${isOpen}, 0)
      from ${caseJobs} join ${jobs} on ${jobs.id} = ${caseJobs.jobId} where ${caseJobs.caseId} = ${cases.id}
    ) where ${counted}`);
  }

  async change(id: number, changes: CaseChanges, at: Date): Promise<void> {
    await this.#db
      .update(cases)
      .set({ ...changes, ...storable(changes), updatedAt: notBefore(at) })
      .where(eq(cases.id, id));
  }

  async writeNarrative(id: number, narrative: string | null, { by, at }: Change): Promise<number> {
    const text = narrative === null ? null : storableText(narrative);
    const [row] = await this.#db
      .update(cases)
      .set({ narrative: text, narrativeVersion: sql`${cases.narrativeVersion} + 1`, updatedAt: notBefore(at) })
      .where(eq(cases.id, id))
      .returning({ version: cases.narrativeVersion });
    if (!row) throw new Error('the case is gone');
    await this.#db
      .insert(caseNarratives)
      .values({ caseId: id, version: row.version, body: text ?? '', savedBy: by, savedAt: at });
    const oldest = row.version - caseLimits.narratives;
    await this.#db.delete(caseNarratives).where(and(eq(caseNarratives.caseId, id), lt(caseNarratives.version, oldest)));
    return row.version;
  }

  async narratives(id: number): Promise<CaseNarrative[]> {
    const rows = await this.#db
      .select({
        version: caseNarratives.version,
        body: caseNarratives.body,
        account: accountName,
        savedAt: caseNarratives.savedAt,
      })
      .from(caseNarratives)
      .leftJoin(accounts, eq(accounts.id, caseNarratives.savedBy))
      .where(eq(caseNarratives.caseId, id))
      .orderBy(desc(caseNarratives.version));
    return rows.map(({ account, ...saved }) => ({ ...saved, savedBy: nameOf(account) }));
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(cases).where(eq(cases.id, id));
  }

  async addCollaborator(id: number, accountId: string, { by, at }: Change): Promise<void> {
    const added = await this.#db
      .insert(caseCollaborators)
      .values({ caseId: id, accountId, addedBy: by, addedAt: at })
      .onConflictDoNothing()
      .returning({ id: caseCollaborators.accountId });
    if (added.length > 0) await this.change(id, {}, at);
  }

  async removeCollaborator(id: number, accountId: string, at: Date): Promise<void> {
    const removed = await this.#db
      .delete(caseCollaborators)
      .where(and(eq(caseCollaborators.caseId, id), eq(caseCollaborators.accountId, accountId)))
      .returning({ id: caseCollaborators.accountId });
    if (removed.length > 0) await this.change(id, {}, at);
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

/** Text of a case as the database holds it. */
function storable({ name, summary }: CaseChanges | NewCase) {
  return {
    ...(name !== undefined && { name: storableText(name) }),
    ...(summary !== undefined && { summary: summary === null ? null : storableText(summary) }),
  };
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
