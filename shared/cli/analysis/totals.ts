import { type Severity, severities, type Tactic, tactics, tacticsOf } from '@svc/domain';
import type { Analysis, Finding } from '@svc/engine';

/** One rule with its matches in all files. */
export interface MergedFinding {
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly author: string | null;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Matched events. */
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly computers: ReadonlySet<string>;
  /** Files in which it matched. */
  readonly files: number;
}

/** Rules that matched somewhere, by severity in its order. */
export type SeverityCounts = readonly number[];

/** Findings and their events, counted together. */
export interface Count {
  readonly findings: number;
  readonly events: number;
}

type Merging = { -readonly [K in keyof MergedFinding]: MergedFinding[K] } & { readonly computers: Set<string> };

/** What was found in all files of a run. */
export class Totals {
  readonly #byRule = new Map<string, Merging>();
  readonly #byLog = new Map<string, SeverityCounts>();
  events = 0;
  outside = 0;
  untimed = 0;

  add(log: string, { events, passedOver, findings }: Analysis): void {
    this.events += events;
    this.outside += passedOver.outside;
    this.untimed += passedOver.untimed;
    for (const finding of findings) this.#merge(finding);
    const counts = severities.map((level) => findings.filter(({ severity }) => severity === level).length);
    if (findings.length > 0) this.#byLog.set(log, counts);
  }

  /** Logs in which something was found, by how bad that is. */
  worstLogs(): [string, SeverityCounts][] {
    return worstFirst(this.#byLog);
  }

  /** Worst first, then by events and name. */
  findings(): MergedFinding[] {
    return [...this.#byRule.values()].sort(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
        other.count - one.count ||
        (one.ruleName < other.ruleName ? -1 : 1),
    );
  }

  #merge(finding: Finding): void {
    const { ruleId, ruleName, author, severity, tags, ruleSource, count, first, last, computers } = finding;
    const key = `${ruleId ?? ruleSource}\u0000${ruleName}`;
    let merged = this.#byRule.get(key);
    if (merged === undefined) {
      merged = { ruleId, ruleName, author, severity, tags, count: 0, first, last, computers: new Set(), files: 0 };
      this.#byRule.set(key, merged);
    }
    merged.count += count;
    merged.files++;
    for (const computer of computers) merged.computers.add(computer);
    if (merged.first === null || (first !== null && isEarlier(first, merged.first))) merged.first = first;
    if (merged.last === null || (last !== null && isEarlier(merged.last, last))) merged.last = last;
  }
}

/** Computers on which something was found, by how bad that is. */
export function worstComputers(findings: readonly MergedFinding[]): [string, SeverityCounts][] {
  const byComputer = new Map<string, number[]>();
  for (const { severity, computers } of findings) {
    for (const computer of computers) {
      const counts = byComputer.get(computer) ?? severities.map(() => 0);
      counts[severities.indexOf(severity)]!++;
      byComputer.set(computer, counts);
    }
  }
  return worstFirst(byComputer);
}

function worstFirst(counts: ReadonlyMap<string, SeverityCounts>): [string, SeverityCounts][] {
  return [...counts].sort(([name, one], [other, two]) => {
    const at = one.findIndex((count, place) => count !== two[place]);
    return at < 0 ? (name < other ? -1 : 1) : two[at]! - one[at]!;
  });
}

export function countBySeverity(findings: readonly MergedFinding[]): Map<Severity, Count> {
  return countBy(severities, findings, ({ severity }) => [severity]);
}

/** In the order of ATT&CK; a finding counts for each of its tactics. */
export function countByTactic(findings: readonly MergedFinding[]): Map<Tactic, Count> {
  return countBy(tactics, findings, ({ tags }) => tacticsOf(tags));
}

function countBy<K>(
  keys: readonly K[],
  findings: readonly MergedFinding[],
  keysOf: (finding: MergedFinding) => readonly K[],
): Map<K, Count> {
  const counts = keys.map((key): [K, Count] => {
    const own = findings.filter((finding) => keysOf(finding).includes(key));
    return [key, { findings: own.length, events: own.reduce((sum, { count }) => sum + count, 0) }];
  });
  return new Map(counts.filter(([, { findings: some }]) => some > 0));
}

/** Times end in `Z`, which would sort a whole second behind its fractions. */
function isEarlier(one: string, other: string): boolean {
  return one.slice(0, -1) < other.slice(0, -1);
}
