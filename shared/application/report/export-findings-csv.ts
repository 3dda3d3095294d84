import type { InputOf, operations } from '@svc/contracts';
import type { Actor, Finding } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { foundBy, toFindingRow } from './shown/findings.ts';
import { findingsCsv, type TabledFinding } from './shown/findings-csv.ts';
import { visibleJob } from '../jobs/visible-job.ts';

const pageSize = 1000;

/** All findings of a job as a table, a line each, worst first; UTF-8. */
export async function exportFindingsCsv(
  { findings, jobViews }: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.exportFindingsCsv>,
): Promise<Uint8Array> {
  await visibleJob({ jobViews }, actor, id);
  const all: Finding[] = [];
  for (let page = 1, total = 1; (page - 1) * pageSize < total; page += 1) {
    const part = await findings.page(id, { severity: null, page, per: pageSize });
    total = part.total;
    all.push(...part.findings);
  }
  const engines = foundBy(all);
  const rows = all.map((finding): TabledFinding => ({
    ...toFindingRow(finding),
    rule_author: finding.ruleAuthor,
    found_by: engines.get(finding.id) ?? [],
  }));
  return new TextEncoder().encode(findingsCsv(rows));
}
