import type { EntityFinding as Shown, InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { jobNames } from '../jobs/job-names.ts';
import type { Ports } from '../ports/ports.ts';
import type { EntityFinding } from './entity-links.ts';
import { entityScope, foldedIds } from './entity-scope.ts';
import { per } from './list-entity-jobs.ts';

/** Findings of visible jobs whose matched events name an entity: those that count, or those that are suppressed. */
export async function listEntityFindings(
  ports: Pick<Ports, 'entities' | 'entityAliases' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  {
    id,
    page,
    job: asked,
    fold_aliases: folds,
    suppressed: areSuppressed,
  }: InputOf<typeof operations.listEntityFindings>,
): Promise<OutputOf<typeof operations.listEntityFindings>> {
  const { job, notices } = await entityScope(ports, actor, id, asked);
  const part = { page, per, job, areSuppressed };
  const found = await ports.entityLinks.findings(actor, await foldedIds(ports, id, folds), part);
  const names = await jobNames(
    ports,
    actor,
    found.findings.map((one) => one.jobId),
  );
  return {
    page: found.page,
    total: found.total,
    total_suppressed: found.totalSuppressed,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    findings: found.findings.map((one) => ({ ...toEntityFinding(one), filename: names.get(one.jobId) ?? '' })),
    notices,
  };
}

export function toEntityFinding({ jobId, ruleId, ruleName, hasDetails, ...finding }: EntityFinding): Shown {
  return { ...finding, job_id: jobId, rule_id: ruleId, rule_name: ruleName, has_details: hasDetails };
}
