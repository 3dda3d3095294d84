import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { visibleJob } from '../jobs/visible-job.ts';

const mostJobs = 20;

/** The newest other jobs in which the same was found (resolved-platform 9.2). */
export async function getCorrelatedJobs(
  { findings, jobViews }: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { id, rule_signature: signature }: InputOf<typeof operations.getCorrelatedJobs>,
): Promise<OutputOf<typeof operations.getCorrelatedJobs>> {
  await visibleJob({ jobViews }, actor, id);
  const found = await findings.correlated(actor, { jobId: id, signature }, mostJobs);
  return {
    findings: found.map((finding) => ({
      job_id: finding.jobId,
      filename: finding.fileName,
      rule_name: finding.ruleName,
      severity: finding.severity,
      count: finding.count,
      tool: finding.engine,
      job_created_at: finding.createdAt.toISOString(),
    })),
  };
}
