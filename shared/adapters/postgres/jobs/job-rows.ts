import type { JobView } from '@svc/application/jobs/job-views.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { casesOf } from '../cases/case-repository.ts';
import type { Database } from '../database.ts';
import { toFile, toJob } from '../rows.ts';
import { counting, worstFirst } from '../report/finding-columns.ts';
import { accounts, findings, jobs, taskResults, uploadedFiles, workflows } from '../schema/index.ts';
import { tagsOf } from '../tags/tag-repository.ts';

/** Those of these jobs that read damaged logs. */
export async function partlyReadAmong(db: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ jobId: taskResults.jobId })
    .from(taskResults)
    .where(and(inArray(taskResults.jobId, [...ids]), sql`jsonb_array_length(${taskResults.warnings}) > 0`));
  return new Set(rows.map(({ jobId }) => jobId));
}

/** Jobs as rows of lists, in no order; tags and cases are for members only. */
export async function viewsOf(db: Database, viewer: Actor, which: SQL | undefined): Promise<JobView[]> {
  const top = db
    .select({ id: findings.id, ruleName: findings.ruleName, severity: findings.severity })
    .from(findings)
    .where(and(eq(findings.jobId, jobs.id), counting))
    .orderBy(...worstFirst)
    .limit(1)
    .as('top');
  const rows = await db
    .select({
      job: jobs,
      file: uploadedFiles,
      workflow: { id: workflows.id, name: workflows.name },
      topFinding: { id: top.id, ruleName: top.ruleName, severity: top.severity },
      account: { email: accounts.email, displayName: accounts.displayName },
    })
    .from(jobs)
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
    .innerJoin(workflows, eq(workflows.id, jobs.workflowId))
    .leftJoin(accounts, eq(accounts.id, jobs.submittedBy))
    .leftJoinLateral(top, sql`true`)
    .where(which);
  const damaged = await partlyReadAmong(
    db,
    rows.map(({ job }) => job.id),
  );
  const ids = hasRole(viewer, 'member') ? rows.map(({ job }) => job.id) : [];
  const tags = ids.length > 0 ? await tagsOf(db, ids) : null;
  const cases = ids.length > 0 ? await casesOf(db, viewer, ids) : null;
  return rows.map(({ job, file, workflow, topFinding, account }) => ({
    job: toJob(job),
    file: toFile(file),
    workflow,
    submitter: account?.displayName ?? account?.email ?? null,
    partlyRead: damaged.has(job.id),
    firstEventAt: job.firstEventAt,
    lastEventAt: job.lastEventAt,
    topFinding,
    tags: tags?.get(job.id) ?? [],
    cases: cases?.get(job.id) ?? [],
  }));
}
