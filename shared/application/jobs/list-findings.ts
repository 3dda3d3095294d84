import type { FindingRow, InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor, type Finding } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

const perPage = 200;

/** Findings of a job, worst first, without their events. */
export async function listFindings(
  { findings, jobViews }: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { id, severity, page }: InputOf<typeof operations.listFindings>,
): Promise<OutputOf<typeof operations.listFindings>> {
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  const found = await findings.page(id, { severity: severity ?? null, page, per: perPage });
  return {
    findings: found.findings.map(toFindingRow),
    page: found.page,
    total: found.total,
    total_pages: Math.max(1, Math.ceil(found.total / perPage)),
  };
}

function toFindingRow(finding: Finding): FindingRow {
  return {
    id: finding.id,
    tool: finding.engine,
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    severity: finding.severity,
    count: finding.count,
    tags: [...finding.tags],
    first_seen: finding.firstSeen,
    last_seen: finding.lastSeen,
    has_details: finding.hasEvents,
    has_rule: finding.hasRule,
  };
}
