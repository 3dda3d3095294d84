import { mostPlaces, type InputOf, type operations, type OutputOf } from '@svc/contracts';
import { emptySummary, hasRole, isTerminal, notFound, severities, tactics, tacticsOf, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { MatchedRule } from '../report/finding-repository.ts';
import { compareRuleCounts, hostsWithRules, jobVerdict, jobsWithRules } from './rule-counts.ts';

type Verdict = OutputOf<typeof operations.getBatch>;

/** What a batch came to, as far as the viewer may see its jobs; throws `not_found` when none of them is. */
export async function getBatch(
  { batches, findings }: Pick<Ports, 'batches' | 'findings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getBatch>,
): Promise<Verdict> {
  const found = await batches.get(actor, id);
  if (!found) throw notFound('batch');
  const { batch, jobs } = found;
  const ended = jobs.filter(({ job }) => isTerminal(job.status)).map(({ job }) => job.id);
  const rules = await findings.matchedRules(ended);
  const rulesOfJobs = jobsWithRules(rules);
  const verdicts = jobs.map((view) => jobVerdict(view, actor, rulesOfJobs.get(view.job.id) ?? emptySummary));
  return {
    batch_id: batch.id,
    created_at: batch.createdAt.toISOString(),
    submitter: submitterOf(found, actor),
    has_running: ended.length < jobs.length,
    matches: rules.reduce((sum, rule) => sum + matchesOf(rule), 0),
    severities: counted(severities, rules, (rule) => [rule.severity]).map(([severity, counts]) => ({
      severity,
      ...counts,
    })),
    tactics: counted(tactics, rules, (rule) => tacticsOf(rule.tags)).map(([tactic, counts]) => ({ tactic, ...counts })),
    rules: rules.map(ruleOf),
    hosts: worstHosts(rules),
    findings_without_hosts: rules.reduce((sum, { places }) => sum + places.filter(({ hosts }) => !hosts).length, 0),
    jobs: verdicts.sort(
      (one, other) =>
        Number(!isTerminal(one.status)) - Number(!isTerminal(other.status)) ||
        compareRuleCounts(one.rules, other.rules) ||
        other.total_findings - one.total_findings ||
        one.job_id - other.job_id,
    ),
  };
}

/** The jobs have one submitter where they were submitted together, and tell of it what lists do. */
function submitterOf(
  { batch, jobs }: NonNullable<Awaited<ReturnType<Ports['batches']['get']>>>,
  viewer: Actor,
): string {
  if (batch.submittedBy === null) return 'anonymous';
  if (!hasRole(viewer, 'member')) return 'account';
  return jobs.find(({ job }) => job.submittedBy === batch.submittedBy)?.submitter ?? 'account';
}

function ruleOf(rule: MatchedRule): Verdict['rules'][number] {
  const { signature, ruleName, severity, places } = rule;
  const byMatches = places.toSorted((one, other) => other.count - one.count || one.jobId - other.jobId);
  return {
    signature,
    rule_name: ruleName,
    severity,
    tactics: tacticsOf(rule.tags),
    matches: matchesOf(rule),
    jobs: new Set(places.map(({ jobId }) => jobId)).size,
    hosts: [...new Set(places.flatMap(({ hosts }) => hosts ?? []))].sort(),
    places: byMatches
      .slice(0, mostPlaces)
      .map(({ jobId, findingId, count }) => ({ job_id: jobId, finding_id: findingId, matches: count })),
  };
}

function worstHosts(rules: readonly MatchedRule[]): Verdict['hosts'] {
  return [...hostsWithRules(rules)]
    .map(([host, { counts, jobIds }]) => ({
      host,
      rules: counts,
      jobs: jobIds.size,
      job_ids: [...jobIds].slice(0, mostPlaces),
    }))
    .sort((one, other) => compareRuleCounts(one.rules, other.rules) || (one.host < other.host ? -1 : 1));
}

function matchesOf({ places }: MatchedRule): number {
  return places.reduce((sum, { count }) => sum + count, 0);
}

/** Rules and their matches by key, those that have any. */
function counted<K>(
  keys: readonly K[],
  rules: readonly MatchedRule[],
  keysOf: (rule: MatchedRule) => readonly K[],
): [K, { rules: number; matches: number }][] {
  const counts = new Map(keys.map((key) => [key, { rules: 0, matches: 0 }]));
  for (const rule of rules) {
    const matches = matchesOf(rule);
    for (const key of keysOf(rule)) {
      const sum = counts.get(key);
      if (sum) counts.set(key, { rules: sum.rules + 1, matches: sum.matches + matches });
    }
  }
  return [...counts].filter(([, sum]) => sum.rules > 0);
}
