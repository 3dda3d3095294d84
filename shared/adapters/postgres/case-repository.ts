import type { CaseRepository, NewCase } from '@svc/application/ports/case-repository.ts';
import type { Actor, Case, CaseStatus } from '@svc/domain';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Database } from './database.ts';
import { insertReceipt } from './receipt-repository.ts';
import { caseJobs, cases } from './schema/index.ts';
import { storableText } from './text.ts';
import { caseVisibleTo } from './visible.ts';

export class PgCaseRepository implements CaseRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async create({ receipt, at, ...wanted }: NewCase): Promise<Case> {
    return this.#db.transaction(async (tx) => {
      const [row] = await tx
        .insert(cases)
        .values({ ...wanted, name: storableText(wanted.name), createdAt: at, updatedAt: at })
        .returning();
      if (!row) throw new Error('the case was not stored');
      if (receipt) await insertReceipt(tx, 'case', { ...receipt, jobId: null, caseId: row.id, reused: false });
      return row;
    });
  }

  async get(id: number): Promise<Case | null> {
    const [row] = await this.#db.select().from(cases).where(eq(cases.id, id));
    return row ?? null;
  }

  async list(viewer: Actor, { statuses, limit }: { statuses: readonly CaseStatus[]; limit: number }): Promise<Case[]> {
    return this.#db
      .select()
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

/** Puts a job in a case, which counts as a change of the case; one that is in it already stays as it is. */
export async function linkJob(
  tx: Database,
  caseId: number,
  { jobId, by, at }: { jobId: number; by: string | null; at: Date },
): Promise<void> {
  const linked = await tx
    .insert(caseJobs)
    .values({ caseId, jobId, addedBy: by, addedAt: at })
    .onConflictDoNothing()
    .returning({ jobId: caseJobs.jobId });
  if (linked.length > 0) await tx.update(cases).set({ updatedAt: at }).where(eq(cases.id, caseId));
}
