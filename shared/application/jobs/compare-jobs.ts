import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { emptySummary, tacticsOf, type Actor, type SeveritySummary } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { MatchedRule } from '../report/finding-repository.ts';
import { hostsWithRules, jobsWithRules, jobVerdict } from './rule-counts.ts';
import { visibleJobView } from './visible-job.ts';

type Comparison = OutputOf<typeof operations.compareJobs>;

/** What matched in one of two jobs, or in both; throws `not_found` unless the viewer may see both. */
export async function compareJobs(
  ports: Pick<Ports, 'findings' | 'jobViews'>,
  actor: Actor,
  { a, b }: InputOf<typeof operations.compareJobs>,
): Promise<Comparison> {
  const [one, other] = [await visibleJobView(ports, actor, a), await visibleJobView(ports, actor, b)];
  const rules = await ports.findings.matchedRules([a, b]);
  const byJob = jobsWithRules(rules);
  const compared = rules.map((rule) => ({
    signature: rule.signature,
    rule_name: rule.ruleName,
    severity: rule.severity,
    tactics: tacticsOf(rule.tags),
    a: sideOf(rule, a),
    b: sideOf(rule, b),
  }));
  return {
    a: jobVerdict(one, actor, byJob.get(a) ?? emptySummary),
    b: jobVerdict(other, actor, byJob.get(b) ?? emptySummary),
    only_a: countsOf(compared.filter((rule) => rule.b === null)),
    only_b: countsOf(compared.filter((rule) => rule.a === null)),
    both: countsOf(compared.filter((rule) => rule.a !== null && rule.b !== null)),
    rules: compared,
    hosts: hostsOf(rules, a, b),
  };
}

/** The rule in one job: its finding with the most matches, and all its matches. */
function sideOf({ places }: MatchedRule, job: number): Comparison['rules'][number]['a'] {
  const own = places.filter(({ jobId }) => jobId === job).sort((one, other) => other.count - one.count);
  const [most] = own;
  return most ? { finding_id: most.findingId, matches: own.reduce((sum, { count }) => sum + count, 0) } : null;
}

function countsOf(rules: readonly Pick<MatchedRule, 'severity'>[]): Record<keyof SeveritySummary, number> {
  const counts = { ...emptySummary };
  for (const { severity } of rules) counts[severity] += 1;
  return counts;
}

function hostsOf(rules: readonly MatchedRule[], a: number, b: number): Comparison['hosts'] {
  const [inA, inB] = [a, b].map((job) =>
    hostsWithRules(rules.map((rule) => ({ ...rule, places: rule.places.filter(({ jobId }) => jobId === job) }))),
  );
  const hosts = [...new Set([...(inA?.keys() ?? []), ...(inB?.keys() ?? [])])].sort();
  const countsIn = (side: typeof inA, host: string) => {
    const counts = side?.get(host)?.counts;
    return counts ? { ...counts } : null;
  };
  return hosts.map((host) => ({ host, a: countsIn(inA, host), b: countsIn(inB, host) }));
}
