import { tacticNow, type JobClock, type Severity } from '@svc/domain';
import type { AlertColumns, JobAnalytics } from '../report/derivation-repository.ts';

type Hours = JobAnalytics['hours'];
/** Matches by tactic of each hour, hours as numbers since 1970. */
type HourCounts = Map<number, Map<string, number>>;

/** What an index of alerts is narrowed to; null for all. */
export interface AlertsAsked {
  readonly severities: readonly Severity[];
  readonly findings: ReadonlySet<number> | null;
}

const hourSeconds = 3600;

/** Hours of one job by the clock of a case, from its stored hours; offsets of no whole hours move them to the nearest. */
export function shiftedHours(hours: Hours, { clockOffset }: JobClock): HourCounts {
  const shift = Math.round(clockOffset / hourSeconds);
  const counts: HourCounts = new Map();
  for (const { hour, tactics } of hours) {
    const at = Date.parse(`${hour}:00:00Z`) / (hourSeconds * 1000) - shift;
    for (const [tactic, count] of Object.entries(tactics)) add(counts, at, { tactic, count });
  }
  return counts;
}

/** The same from its index, which knows severities, findings and seconds; null for steps that hold several hours. */
export function indexedHours(index: AlertColumns, asked: AlertsAsked, { clockOffset }: JobClock): HourCounts | null {
  if (index.res > hourSeconds) return null;
  const { ts, k, n, keys } = index;
  const wanted = keys.map((key) => isWanted(key, asked));
  const counts: HourCounts = new Map();
  for (let at = 0; at < ts.length; at++) {
    const key = k[at]!;
    if (!wanted[key]) continue;
    const hour = Math.floor((ts[at]! - clockOffset) / hourSeconds);
    add(counts, hour, { tactic: keys[key]![3], count: n[at]! });
  }
  return counts;
}

/** Hours of several jobs as one, in order of time. */
export function mergedHours(parts: readonly HourCounts[]): Hours {
  const all: HourCounts = new Map();
  for (const part of parts) {
    for (const [hour, tactics] of part) for (const [tactic, count] of tactics) add(all, hour, { tactic, count });
  }
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([hour, tactics]) => ({
      hour: new Date(hour * hourSeconds * 1000).toISOString().slice(0, 13),
      tactics: Object.fromEntries(tactics),
    }));
}

/** Matches in all hours. */
export function matchesIn(counts: HourCounts): number {
  let sum = 0;
  for (const tactics of counts.values()) for (const count of tactics.values()) sum += count;
  return sum;
}

function isWanted([, , severity, , , , finding]: AlertColumns['keys'][number], asked: AlertsAsked): boolean {
  return (
    (asked.severities.length === 0 || asked.severities.some((one) => one === severity)) &&
    (asked.findings === null || asked.findings.has(finding))
  );
}

function add(counts: HourCounts, hour: number, { tactic, count }: { tactic: string; count: number }): void {
  const group = tacticNow(tactic);
  const tactics = counts.get(hour);
  if (tactics === undefined) counts.set(hour, new Map([[group, count]]));
  else tactics.set(group, (tactics.get(group) ?? 0) + count);
}
