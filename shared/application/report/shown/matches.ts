import { matchesPerPage, type FindingGroups, type FindingMatches } from '@svc/contracts';
import type { StoredEvent } from '../new-finding.ts';
import { csvLine } from './csv.ts';
import { toMatchedEvent } from './findings.ts';
import { type MatchBatches, type Matched, textOf } from './matched-lines.ts';

/** Characters of a value that groups tell apart; different values counted, and those shown. */
const [longestValue, mostValues, shownValues] = [1000, 10_000, 100];
/** Different fields that a table has columns for. */
const mostColumns = 2000;

/** The matched events of a finding that are at hand; they can be gone through several times. */
export interface Evidence {
  readonly from: FindingMatches['from'];
  /** Whether these are all. */
  readonly complete: boolean;
  /** Without the first `skip` of them, which cost less than those that are read. @default 0 */
  readonly batches: (skip?: number) => MatchBatches;
}

export interface MatchFilter {
  readonly field: string;
  /** Null for events without the field. */
  readonly value: string | null;
}

/** One of them by its place in the log's order, from 0; null where it is not at hand. */
export async function matchAt({ batches }: Pick<Evidence, 'batches'>, place: number): Promise<StoredEvent | null> {
  for await (const [match] of batches(place)) if (match) return match.event();
  return null;
}

/** One page of them; reading ends where the page does. */
export async function pageOf(
  { from, complete, batches }: Evidence,
  { page, filter }: { readonly page: number; readonly filter: MatchFilter | null },
): Promise<Omit<FindingMatches, 'count'>> {
  const first = (page - 1) * matchesPerPage;
  const found: { readonly match: Matched; readonly place: number }[] = [];
  const skip = filter === null ? first : 0;
  let place = skip;
  let passed = skip;
  for await (const batch of batches(skip)) {
    for (const match of batch) {
      if (fits(match, filter) && passed++ >= first) found.push({ match, place });
      place++;
    }
    if (found.length > matchesPerPage) break;
  }
  const shown = found.slice(0, matchesPerPage);
  return {
    events: shown.map(({ match }) => toMatchedEvent(match.event())),
    places: shown.map((one) => one.place),
    page,
    per: matchesPerPage,
    more: found.length > matchesPerPage,
    from,
    complete,
  };
}

/** How often each value of a field occurs, the most frequent first; exact for those that are counted. */
export async function groupsOf(
  { from, complete, batches }: Evidence,
  field: string,
): Promise<Omit<FindingGroups, 'count'>> {
  const counts = new Map<string | null, number>();
  let [events, uncounted] = [0, 0];
  for await (const batch of batches()) {
    for (const match of batch) {
      events++;
      const value = valueOf(match, field);
      const known = counts.get(value);
      if (known === undefined && counts.size === mostValues) uncounted++;
      else counts.set(value, (known ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const groups = sorted.slice(0, shownValues).map(([value, count]) => ({ value, count }));
  const shown = groups.reduce((sum, { count }) => sum + count, 0);
  const values = { count: counts.size, more: uncounted > 0 };
  return { field, events, groups, others: events - shown, values, from, complete };
}

function fits(match: Matched, filter: MatchFilter | null): boolean {
  return filter === null || valueOf(match, filter.field) === filter.value;
}

function valueOf(match: Matched, field: string): string | null {
  return match.textOf(field)?.slice(0, longestValue) ?? null;
}

/** All of them as JSON lines, or as a table with a column for every field that one of them has. */
export async function* exportOf(
  { batches }: Pick<Evidence, 'batches'>,
  format: 'jsonl' | 'csv',
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const names = format === 'csv' ? await fieldNames(batches()) : [];
  if (format === 'csv') yield encoder.encode(csvLine([...heads, ...names]));
  for await (const batch of batches()) {
    const lines = batch.map((match) =>
      format === 'csv' ? rowOf(match.event(), names) : `${JSON.stringify(toMatchedEvent(match.event()))}\n`,
    );
    yield encoder.encode(lines.join(''));
  }
}

const heads = ['record_id', 'timestamp', 'computer', 'channel', 'event_id'] as const;

/** In the order met. */
async function fieldNames(batches: MatchBatches): Promise<string[]> {
  const names = new Set<string>();
  for await (const batch of batches) {
    for (const match of batch) {
      for (const name of Object.keys(toMatchedEvent(match.event()).fields))
        if (names.size < mostColumns) names.add(name);
    }
  }
  return [...names];
}

function rowOf(event: StoredEvent, names: readonly string[]): string {
  const shown = toMatchedEvent(event);
  const values = names.map((name) => (Object.hasOwn(shown.fields, name) ? textOf(shown.fields[name]) : ''));
  return csvLine([...heads.map((name) => shown[name]), ...values]);
}
