import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, ruleSignature, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** All findings of a job with their sample events (resolved-platform 4). */
export async function exportFindings(
  { findings, jobViews, settings }: Pick<Ports, 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.exportFindings>,
): Promise<OutputOf<typeof operations.exportFindings>> {
  const [job] = await jobViews.among(actor, [id]);
  if (!job) throw notFound('job');
  const { maxFindingDetails: max } = await settings.current();
  return (await findings.withEvents(id)).map((finding) => ({
    tool: finding.engine,
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    severity: finding.severity,
    count: finding.count,
    tags: [...finding.tags],
    details: finding.events.slice(0, max).map(({ fields }) => ({ ...fields })),
    rule_signature: ruleSignature(finding),
    rule_author: finding.ruleAuthor,
  }));
}
