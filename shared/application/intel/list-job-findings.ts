import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { per } from './list-entity-jobs.ts';
import { toEntityFinding } from './list-entity-findings.ts';

/** Entities shown of a finding. */
const mostNamed = 6;

/** Findings of a job with what the matched events of each name (resolved-intel 5.2). */
export async function listJobFindings(
  ports: Pick<Ports, 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id, severity, entity_id: entityId, page }: InputOf<typeof operations.listJobFindings>,
): Promise<OutputOf<typeof operations.listJobFindings>> {
  await visibleJob(ports, actor, id);
  const found = await ports.entityLinks.ofJob(id, { severity: severity ?? null, entityId, page, per, most: mostNamed });
  return {
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    findings: found.findings.map(({ named, totalNamed, ...finding }) => ({
      ...toEntityFinding(finding),
      entities: named.map(({ type, jobCount, ...one }) => ({ ...one, entity_type: type, job_count: jobCount })),
      more: totalNamed - named.length,
    })),
  };
}
