import type { FindingGroups, FindingMatches } from '@svc/contracts';
import type { Finding } from '@svc/domain';
import type { RawMatch } from '@svc/engine';
import type { StoredEvent } from '../new-finding.ts';
import { csvLine } from './csv.ts';
import { toMatchedEvent } from './findings.ts';

/** Events of a page. */
export const matchesPerPage = 50;
/** Characters of a value that groups tell apart; different values counted, and those shown. */
const [longestValue, mostValues, shownValues] = [1000, 10_000, 100];
/** Different fields that a table has columns for. */
const mostColumns = 2000;

/** Matched events in the order of the log, some at a time. */
export type EventBatches = AsyncIterable<readonly StoredEvent[]>;

/** The matched events of a finding that are at hand; they can be gone through several times. */
export interface Evidence {
  readonly from: FindingMatches['from'];
  /** Whether these are all. */
  readonly complete: boolean;
  /** Without the first `skip` of them, which cost less than those that are read. @default 0 */
  readonly batches: (skip?: number) => EventBatches;
}

export interface MatchFilter {
  readonly field: string;
  /** Null for events without the field. */
  readonly value: string | null;
}

/**
 * The matches of one rule among the lines of a raw output (resolved-platform 2.4). Lines of others are passed over
 * unread: a line has its rule behind its time, in one way of writing.
 */
export async function* matchesIn(
  bytes: AsyncIterable<Uint8Array>,
  { ruleId, ruleName }: Pick<Finding, 'ruleId' | 'ruleName'>,
  skip = 0,
): AsyncGenerator<readonly StoredEvent[]> {
  const wanted = `"rule":${JSON.stringify({ id: ruleId, title: ruleName }).slice(0, -1)},`;
  const decoder = new TextDecoder();
  let rest = '';
  let passed = 0;
  for await (const chunk of bytes) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const found: StoredEvent[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const isWanted = text.startsWith(wanted, text.indexOf('"rule":', start));
      if (isWanted && passed++ >= skip) found.push(eventOf(text.slice(start, end)));
      start = end + 1;
    }
    rest = text.slice(start);
    if (found.length > 0) yield found;
  }
}

function eventOf(line: string): StoredEvent {
  const { ts, computer, channel, event_id: eventId, record_id: recordId, file, record } = JSON.parse(line) as RawMatch;
  const fields = file === undefined ? record : { ...record, _file: file };
  return { timestamp: ts, computer, channel, eventId, recordId, fields };
}

/** One page of them; reading ends where the page does. */
export async function pageOf(
  { from, complete, batches }: Evidence,
  { page, filter }: { readonly page: number; readonly filter: MatchFilter | null },
): Promise<Omit<FindingMatches, 'count'>> {
  const first = (page - 1) * matchesPerPage;
  const events: StoredEvent[] = [];
  const skip = filter === null ? first : 0;
  let passed = skip;
  for await (const batch of batches(skip)) {
    for (const event of batch) {
      if (fits(event, filter) && passed++ >= first) events.push(event);
    }
    if (events.length > matchesPerPage) break;
  }
  const shown = events.slice(0, matchesPerPage).map(toMatchedEvent);
  return { events: shown, page, per: matchesPerPage, more: events.length > matchesPerPage, from, complete };
}

/** How often each value of a field occurs, the most frequent first; exact for those that are counted. */
export async function groupsOf(
  { from, complete, batches }: Evidence,
  field: string,
): Promise<Omit<FindingGroups, 'count'>> {
  const counts = new Map<string | null, number>();
  let [events, uncounted] = [0, 0];
  for await (const batch of batches()) {
    for (const event of batch) {
      events++;
      const value = valueOf(event, field);
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

function fits(event: StoredEvent, filter: MatchFilter | null): boolean {
  return filter === null || valueOf(event, filter.field) === filter.value;
}

function valueOf({ fields }: StoredEvent, field: string): string | null {
  return Object.hasOwn(fields, field) ? textOf(fields[field]).slice(0, longestValue) : null;
}

/** A value as reports show it: lists one item a line. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
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
    const lines = batch.map((event) =>
      format === 'csv' ? rowOf(event, names) : `${JSON.stringify(toMatchedEvent(event))}\n`,
    );
    yield encoder.encode(lines.join(''));
  }
}

const heads = ['record_id', 'timestamp', 'computer', 'channel', 'event_id'] as const;

/** In the order met. */
async function fieldNames(batches: EventBatches): Promise<string[]> {
  const names = new Set<string>();
  for await (const batch of batches) {
    for (const event of batch) {
      for (const name of Object.keys(toMatchedEvent(event).fields)) if (names.size < mostColumns) names.add(name);
    }
  }
  return [...names];
}

function rowOf(event: StoredEvent, names: readonly string[]): string {
  const shown = toMatchedEvent(event);
  const values = names.map((name) => (Object.hasOwn(shown.fields, name) ? textOf(shown.fields[name]) : ''));
  return csvLine([...heads.map((name) => shown[name]), ...values]);
}
