import type { JobVerdict } from '@svc/contracts';
import { emptySummary, severities, type Actor, type SeveritySummary } from '@svc/domain';
import type { MatchedRule } from '../report/finding-repository.ts';
import { toJobRow } from './job-row.ts';
import type { JobView } from './job-views.ts';

/** Rules by severity. */
type RuleCounts = { -readonly [S in keyof SeveritySummary]: number };

/** Sorts what has more rules of the worst severity before the rest. */
export function compareRuleCounts(one: SeveritySummary, other: SeveritySummary): number {
  return severities.map((severity) => other[severity] - one[severity]).find((difference) => difference !== 0) ?? 0;
}

/** The rules that matched in each job. */
export function jobsWithRules(rules: readonly MatchedRule[]): Map<number, SeveritySummary> {
  const byJob = new Map<number, RuleCounts>();
  for (const { severity, places } of rules) {
    for (const jobId of new Set(places.map((place) => place.jobId))) countIn(byJob, jobId)[severity] += 1;
  }
  return byJob;
}

/** The rules that matched on each host, and the jobs in which they did. */
export function hostsWithRules(
  rules: readonly MatchedRule[],
): Map<string, { readonly counts: SeveritySummary; readonly jobIds: ReadonlySet<number> }> {
  const byHost = new Map<string, { counts: RuleCounts; jobIds: Set<number> }>();
  for (const { severity, places } of rules) {
    const counted = new Set<string>();
    for (const { jobId, hosts } of places) {
      for (const host of hosts ?? []) {
        const known = byHost.get(host) ?? { counts: { ...emptySummary }, jobIds: new Set() };
        byHost.set(host, known);
        known.jobIds.add(jobId);
        if (!counted.has(host)) known.counts[severity] += 1;
        counted.add(host);
      }
    }
  }
  return byHost;
}

function countIn<K>(counts: Map<K, RuleCounts>, key: K): RuleCounts {
  const known = counts.get(key) ?? { ...emptySummary };
  counts.set(key, known);
  return known;
}

/** A job as verdicts over several show it. */
export function jobVerdict(view: JobView, viewer: Actor, rules: SeveritySummary): JobVerdict {
  const row = toJobRow(view, viewer);
  return {
    job_id: row.job_id,
    filename: row.filename,
    log_type: row.log_type,
    status: row.status,
    partly_read: row.partly_read,
    error: row.error,
    is_private: row.is_private,
    created_at: row.created_at,
    total_findings: row.total_findings,
    severity_summary: row.severity_summary,
    top_finding: row.top_finding,
    rules: { ...rules },
  };
}
