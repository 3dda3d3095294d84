import { tacticNow, type JobClock, type Severity } from '@svc/domain';
import type { AlertColumns, JobAnalytics } from '../report/derivation-repository.ts';

/** What an index of alerts is narrowed to; null for all. */
export interface AlertsAsked {
  readonly severities: readonly Severity[];
  readonly findings: ReadonlySet<number> | null;
}

const hourSeconds = 3600;

/** Matches of several jobs by hour and tactic, by the clock of a case. */
export class MergedHours {
  /** Hours as numbers since 1970. */
  readonly #hours = new Map<number, Map<string, number>>();

  /** Adds a job's stored hours, moved by its clock offset to the nearest whole hour; returns its matches. */
  addStored(hours: JobAnalytics['hours'], { clockOffset }: JobClock): number {
    const shift = Math.round(clockOffset / hourSeconds);
    let matches = 0;
    for (const { hour, tactics } of hours) {
      const sums = this.#of(Date.parse(`${hour}:00:00Z`) / (hourSeconds * 1000) - shift);
      for (const tactic in tactics) matches += add(sums, tacticNow(tactic), tactics[tactic]!);
    }
    return matches;
  }

  /** The same from its index, which knows severities, findings and seconds; null for steps that hold several hours. */
  addIndexed(index: AlertColumns, asked: AlertsAsked, { clockOffset }: JobClock): number | null {
    if (index.res > hourSeconds) return null;
    const { ts, k, n, keys } = index;
    const wanted = keys.map((key) => isWanted(key, asked));
    const tactics = keys.map(([, , , tactic]) => tacticNow(tactic));
    let matches = 0;
    let hour = Number.NaN;
    let sums = new Map<string, number>();
    for (let at = 0; at < ts.length; at++) {
      const key = k[at]!;
      if (!wanted[key]) continue;
      const own = Math.floor((ts[at]! - clockOffset) / hourSeconds);
      if (own !== hour) sums = this.#of(own);
      hour = own;
      matches += add(sums, tactics[key]!, n[at]!);
    }
    return matches;
  }

  /** In order of time. */
  hours(): JobAnalytics['hours'] {
    return [...this.#hours]
      .sort(([a], [b]) => a - b)
      .map(([hour, tactics]) => ({
        hour: new Date(hour * hourSeconds * 1000).toISOString().slice(0, 13),
        tactics: Object.fromEntries(tactics),
      }));
  }

  #of(hour: number): Map<string, number> {
    let sums = this.#hours.get(hour);
    if (sums === undefined) this.#hours.set(hour, (sums = new Map()));
    return sums;
  }
}

function isWanted([, , severity, , , , finding]: AlertColumns['keys'][number], asked: AlertsAsked): boolean {
  return (
    (asked.severities.length === 0 || asked.severities.some((one) => one === severity)) &&
    (asked.findings === null || asked.findings.has(finding))
  );
}

function add(sums: Map<string, number>, tactic: string, count: number): number {
  sums.set(tactic, (sums.get(tactic) ?? 0) + count);
  return count;
}
