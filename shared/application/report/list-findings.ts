import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toFindingRow } from './shown/findings.ts';
import { visibleJob } from '../jobs/visible-job.ts';

const perPage = 1000;

/** Findings of a job, worst first, without their events. */
export async function listFindings(
  { findings, jobViews }: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { id, severity, page }: InputOf<typeof operations.listFindings>,
): Promise<OutputOf<typeof operations.listFindings>> {
  await visibleJob({ jobViews }, actor, id);
  const found = await findings.page(id, { severity: severity ?? null, page, per: perPage });
  return {
    findings: found.findings.map(toFindingRow),
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / perPage)),
  };
}
