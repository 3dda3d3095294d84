import type { FindingRow } from '@svc/contracts';
import { severities, tactics, tacticsOf, techniquesOf, type Severity, type Tactic } from '@svc/domain';
import type { JobView } from './job-view.ts';

export interface FindingGroup {
  readonly severity: Severity;
  readonly findings: readonly FindingRow[];
  /** Matched events of all findings of the group. */
  readonly events: number;
}

/** The part of a view that narrows the findings. */
export type Filters = { readonly [K in 'severity' | 'tactic' | 'technique' | 'q']?: JobView[K] | undefined };

/** Findings that the view lets through; each filter of the address narrows further. */
export function narrowed(findings: readonly FindingRow[], view: Filters): FindingRow[] {
  const words = (view.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return findings.filter(
    (finding) =>
      (view.severity === undefined || view.severity.includes(finding.severity)) &&
      (view.tactic === undefined || tacticsOf(finding.tags).includes(view.tactic)) &&
      (view.technique === undefined || hasTechnique(finding, view.technique)) &&
      words.every((word) => textOf(finding).includes(word)),
  );
}

function hasTechnique(finding: FindingRow, technique: string): boolean {
  return techniquesOf(finding.tags).some((id) => id === technique || id.startsWith(`${technique}.`));
}

function textOf({ rule_name: name, rule_id: id, tags, tool }: FindingRow): string {
  return [name, id ?? '', tool, ...tags].join(' ').toLowerCase();
}

/** The findings by severity, worst first; severities without one are left out. */
export function grouped(findings: readonly FindingRow[]): FindingGroup[] {
  return severities
    .map((severity) => findings.filter((finding) => finding.severity === severity))
    .filter((group) => group.length > 0)
    .map((group) => ({ severity: group[0]!.severity, findings: group, events: eventsOf(group) }));
}

/** Rules and matched events of every tactic, in ATT&CK order; a rule of two tactics counts in both. */
export function byTactic(findings: readonly FindingRow[]): { tactic: Tactic; rules: number; events: number }[] {
  const sums = new Map(tactics.map((tactic) => [tactic, { tactic, rules: 0, events: 0 }]));
  for (const { tags, count } of findings) {
    for (const tactic of tacticsOf(tags)) {
      const sum = sums.get(tactic)!;
      sum.rules += 1;
      sum.events += count;
    }
  }
  return [...sums.values()];
}

function eventsOf(findings: readonly FindingRow[]): number {
  return findings.reduce((sum, { count }) => sum + count, 0);
}

/** The finding `by` places after the one with this id, staying within the list; the first when there is none. */
export function stepped(findings: readonly FindingRow[], id: number | undefined, by: number): FindingRow | undefined {
  const at = findings.findIndex((finding) => finding.id === id);
  if (at < 0) return findings[0];
  return findings[Math.min(Math.max(at + by, 0), findings.length - 1)];
}
