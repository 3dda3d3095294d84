import type { timelineOf } from '@svc/application/report/shown/analytics.ts';
import type { AlertMarkers, FindingRow } from '@svc/contracts';
import { moment } from '../../../ui/format.ts';
import type { TimeWindow } from '../../../ui/timeline/time-window.ts';

/** What matches are counted of; all when left out. */
export interface MatchFilter {
  readonly window?: TimeWindow | null;
  readonly host?: string | undefined;
}

/** Matches at a moment, in milliseconds since 1970. */
export interface MatchesAt {
  readonly at: number;
  readonly finding: number;
  /** Null where the log names none. */
  readonly host: string | null;
  readonly tactic: string;
  readonly count: number;
}

const hourMs = 3_600_000;

/** Hours with matches, as reports store them. */
type Hours = Parameters<typeof timelineOf>[0];

/** The markers that a filter lets through; one stands for all matches until the next could begin. */
export function* matchesWithin(
  { starts, kind, counts, kinds, computers, tactics, resolution }: AlertMarkers,
  { window = null, host }: MatchFilter,
): Generator<MatchesAt> {
  const place = host === undefined ? null : computers.indexOf(host);
  for (const [row, start] of starts.entries()) {
    const at = start * 1000;
    if (window !== null && (at + resolution * 1000 <= window.from || at > window.to)) continue;
    const [finding, computer, tactic] = kinds[kind[row]!]!;
    if (place !== null && computer !== place) continue;
    yield { at, finding, host: computers[computer] ?? null, tactic: tactics[tactic]!, count: counts[row]! };
  }
}

/**
 * The findings with matches in a window of time and on a computer, with the counts of those. Of matches without a
 * marker it goes by the first and the last of the finding; on which computer those were is not known, so they stay.
 */
export function findingsWithin(
  findings: readonly FindingRow[],
  filter: MatchFilter,
  markers: AlertMarkers | undefined,
): FindingRow[] {
  const [all, passing] = [sums(markers, {}), sums(markers, filter)];
  return findings.flatMap((finding) => {
    const count = passing.get(finding.id) ?? 0;
    if (count > 0) return [{ ...finding, count }];
    const isKnown = (all.get(finding.id) ?? 0) >= finding.count;
    return isKnown || !(filter.window ? overlaps(finding, filter.window) : true) ? [] : [finding];
  });
}

function sums(markers: AlertMarkers | undefined, filter: MatchFilter): Map<number, number> {
  const counts = new Map<number, number>();
  if (markers === undefined) return counts;
  for (const { finding, count } of matchesWithin(markers, filter)) {
    counts.set(finding, (counts.get(finding) ?? 0) + count);
  }
  return counts;
}

function overlaps({ first_seen: first, last_seen: last }: FindingRow, { from, to }: TimeWindow): boolean {
  const [begin, end] = [first && moment(first)?.at, last && moment(last)?.at];
  return typeof begin === 'number' && typeof end === 'number' && begin <= to && end >= from;
}

/** Matches by computer, most first; those of no computer are left out. */
export function matchesByHost(
  markers: AlertMarkers,
  isCounted: (finding: number) => boolean,
  filter: MatchFilter,
): { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { finding, host, count } of matchesWithin(markers, filter)) {
    if (host !== null && isCounted(finding)) counts.set(host, (counts.get(host) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** Matches by hour and tactic; null where markers are coarser than hours. */
export function matchesByHour(
  markers: AlertMarkers,
  isCounted: (finding: number) => boolean,
  filter: MatchFilter,
): Hours | null {
  if (markers.resolution > 3600) return null;
  const hours = new Map<number, Record<string, number>>();
  for (const { at, finding, tactic, count } of matchesWithin(markers, filter)) {
    if (!isCounted(finding)) continue;
    const hour = Math.floor(at / hourMs);
    const counts = hours.get(hour) ?? {};
    hours.set(hour, counts);
    counts[tactic] = (counts[tactic] ?? 0) + count;
  }
  return [...hours].map(([hour, tactics]) => ({ hour: new Date(hour * hourMs).toISOString().slice(0, 13), tactics }));
}
