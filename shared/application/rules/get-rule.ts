import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, notFound, recentJobs } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toPackRule, toRecentJobs } from './list-rules.ts';
import { findPack } from './present-pack.ts';
import type { ArtifactPorts } from './rule-artifact.ts';
import { catalogOf } from './rule-catalog.ts';

const mostJobs = 20;

/** A rule of a pack in force with its source, and the newest visible jobs in which it fired; throws `not_found`. */
export async function getRule(
  ports: ArtifactPorts & Pick<Ports, 'findings' | 'rulePacks'>,
  actor: Actor,
  { name, rule_id: ruleId }: InputOf<typeof operations.getRule>,
): Promise<OutputOf<typeof operations.getRule>> {
  const { pack, overrides } = await findPack(ports, name);
  const rule = (await catalogOf(ports, pack.inForce)).rules.find(({ id }) => id?.toLowerCase() === ruleId);
  if (!rule) throw notFound('rule');
  const [fired, recent] = [
    await ports.findings.firedIn(actor, rule.id!, mostJobs),
    await ports.findings.recentHits(actor, recentJobs),
  ];
  return {
    ...toPackRule(rule, new Map(overrides.map((override) => [override.ruleId, override])), recent),
    source: rule.source,
    recent_jobs: toRecentJobs(recent),
    fired: fired.map(({ jobId, fileName, count, createdAt }) => ({
      job_id: jobId,
      filename: fileName,
      count,
      job_created_at: createdAt.toISOString(),
    })),
  };
}
