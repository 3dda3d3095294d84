import type { FindingRow } from '@svc/contracts';
import {
  emptySummary,
  isCounting,
  otherTactic,
  severities,
  tactics,
  tacticsOf,
  techniqueNow,
  techniquesOf,
  type Severity,
  type SeveritySummary,
  type Tactic,
  type TacticGroup,
} from '@svc/domain';
import { sentence } from '../../../ui/format.ts';
import type { JobView } from '../job-view.ts';

export interface FindingGroup {
  readonly key: string;
  readonly name: string;
  /** The worst of its findings. */
  readonly severity: Severity;
  /** Of a group by tactic. */
  readonly tactic?: TacticGroup;
  readonly findings: readonly FindingRow[];
  /** The same, those at the very same times in one: the first stands for the others until it is opened. */
  readonly rows: readonly FindingRows[];
  /** Matched events of all findings of the group. */
  readonly events: number;
}

/** Findings that are shown as one row; at least one. */
export type FindingRows = readonly [FindingRow, ...FindingRow[]];

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

/** Whether a finding is of a technique, or of one under it. */
export function hasTechnique(finding: Pick<FindingRow, 'tags'>, technique: string): boolean {
  const wanted = techniqueNow(technique);
  return techniquesOf(finding.tags).some((id) => id === wanted || id.startsWith(`${wanted}.`));
}

function textOf({ rule_name: name, rule_id: id, tags, tool }: FindingRow): string {
  return [name, id ?? '', tool, ...tags].join(' ').toLowerCase();
}

/** How many findings each severity has. */
export function bySeverity(findings: readonly FindingRow[]): SeveritySummary {
  const counts: Record<Severity, number> = { ...emptySummary };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/** The findings in groups: by severity, worst first, or each under its first tactic; empty groups are left out. */
export function grouped(
  findings: readonly FindingRow[],
  by?: JobView['group'],
  order?: JobView['sort'],
): FindingGroup[] {
  const sorted = order === undefined ? findings : findings.toSorted(orders[order]);
  const groupOf = (finding: FindingRow) =>
    by === 'tactic' ? (tacticsOf(finding.tags)[0] ?? otherTactic) : finding.severity;
  const groups = new Map<string, FindingRow[]>();
  for (const finding of sorted) {
    const group = groups.get(groupOf(finding));
    if (group === undefined) groups.set(groupOf(finding), [finding]);
    else group.push(finding);
  }
  const keys = by === 'tactic' ? [...tactics, otherTactic] : severities;
  return keys.flatMap((key): FindingGroup[] => {
    const rows = rowsOf(groups.get(key) ?? []);
    const within = rows.flat();
    if (within.length === 0) return [];
    const severity = severities.find((one) => within.some((finding) => finding.severity === one))!;
    const events = eventsOf(within);
    if (by !== 'tactic') return [{ key, name: sentence(key), severity, findings: within, rows, events }];
    const tactic = key as TacticGroup;
    const name = tactic === otherTactic ? 'No tactic' : sentence(tactic);
    return [{ key, name, severity, tactic, findings: within, rows, events }];
  });
}

/**
 * Rules that matched as many events, the first and the last of them at the same times, have nearly always matched the same
 * ones: they are one row, in the place of the first.
 */
function rowsOf(findings: readonly FindingRow[]): FindingRows[] {
  const rows = new Map<string | number, [FindingRow, ...FindingRow[]]>();
  for (const finding of findings) {
    const { id, first_seen: first, last_seen: last, count } = finding;
    const key = first === null ? id : `${first} ${last ?? ''} ${count}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [finding]);
    else row.push(finding);
  }
  return [...rows.values()];
}

/** Within a group; without one, as the service has them: worst first, then the most events. */
const orders: Record<NonNullable<JobView['sort']>, (a: FindingRow, b: FindingRow) => number> = {
  name: (a, b) => a.rule_name.localeCompare(b.rule_name, 'en'),
  count: (a, b) => b.count - a.count,
  time: (a, b) => timeOf(a) - timeOf(b),
};

/** Of its first event; what says no time comes last. */
function timeOf({ first_seen: at }: FindingRow): number {
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at);
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

/** Those that the instance has suppressed as a whole, as a group of their own; none where there are none. */
export function suppressedGroup(findings: readonly FindingRow[]): FindingGroup[] {
  const [first, ...others] = findings.filter((finding) => !isCounting(finding));
  if (first === undefined) return [];
  const within = [first, ...others];
  const rows = within.map((finding): FindingRows => [finding]);
  const { severity } = first;
  return [{ key: 'suppressed', name: 'Suppressed', severity, findings: within, rows, events: eventsOf(within) }];
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
