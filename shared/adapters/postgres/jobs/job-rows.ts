import type { JobView } from '@svc/application/jobs/job-views.ts';
import { hasRole, type Actor } from '@svc/domain';
import { eq, type SQL } from 'drizzle-orm';
import { casesOf } from '../cases/case-repository.ts';
import type { Database } from '../database.ts';
import { toFile, toJob } from '../rows.ts';
import { accounts, jobs, uploadedFiles, workflows } from '../schema/index.ts';
import { tagsOf } from '../tags/tag-repository.ts';

/** Jobs as rows of lists, in no order; tags and cases are for members only. */
export async function viewsOf(db: Database, viewer: Actor, which: SQL | undefined): Promise<JobView[]> {
  const rows = await db
    .select({
      job: jobs,
      file: uploadedFiles,
      workflow: { id: workflows.id, name: workflows.name },
      account: { email: accounts.email, displayName: accounts.displayName },
    })
    .from(jobs)
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
    .innerJoin(workflows, eq(workflows.id, jobs.workflowId))
    .leftJoin(accounts, eq(accounts.id, jobs.submittedBy))
    .where(which);
  const ids = hasRole(viewer, 'member') ? rows.map(({ job }) => job.id) : [];
  const tags = ids.length > 0 ? await tagsOf(db, ids) : null;
  const cases = ids.length > 0 ? await casesOf(db, viewer, ids) : null;
  return rows.map(({ job, file, workflow, account }) => ({
    job: toJob(job),
    file: toFile(file),
    workflow,
    submitter: account?.displayName ?? account?.email ?? null,
    firstEventAt: job.firstEventAt,
    lastEventAt: job.lastEventAt,
    tags: tags?.get(job.id) ?? [],
    cases: cases?.get(job.id) ?? [],
  }));
}
