import type { Finding } from '@svc/domain';
import type { RawMatch } from '@svc/engine';
import type { StoredEvent } from '../new-finding.ts';

/** One matched event that is at hand; what is not asked for is not read. */
export interface Matched {
  event(): StoredEvent;
  /** What the event has in a field, as reports show it; null where it has no such field. */
  textOf(field: string): string | null;
}

/** Matched events in the order of the log, some at a time. */
export type MatchBatches = AsyncIterable<readonly Matched[]>;

/**
 * The matches of one rule among the lines of a raw output (resolved-platform 2.4). Lines of others are passed over
 * unread: a line has its rule behind its time, in one way of writing.
 */
export async function* matchesIn(
  bytes: AsyncIterable<Uint8Array>,
  { ruleId, ruleName }: Pick<Finding, 'ruleId' | 'ruleName'>,
  skip = 0,
): AsyncGenerator<readonly Matched[]> {
  const wanted = `"rule":${JSON.stringify({ id: ruleId, title: ruleName }).slice(0, -1)},`;
  const decoder = new TextDecoder();
  let rest = '';
  let passed = 0;
  for await (const chunk of bytes) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const found: Matched[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const isWanted = text.startsWith(wanted, text.indexOf('"rule":', start));
      if (isWanted && passed++ >= skip) found.push(new MatchedLine(text.slice(start, end)));
      start = end + 1;
    }
    rest = text.slice(start);
    if (found.length > 0) yield found;
  }
}

/** Events that were read whole. */
export function matchedEvents(events: readonly StoredEvent[]): Matched[] {
  return events.map((event) => ({ event: () => event, textOf: (field) => textIn(event, field) }));
}

class MatchedLine implements Matched {
  readonly #line: string;

  constructor(line: string) {
    this.#line = line;
  }

  event(): StoredEvent {
    const { ts, computer, channel, event_id, record_id, file, record } = JSON.parse(this.#line) as RawMatch;
    const fields = file === undefined ? record : { ...record, _file: file };
    return { timestamp: ts, computer, channel, eventId: event_id, recordId: record_id, fields };
  }

  textOf(field: string): string | null {
    const told = field === '_file' ? undefined : flatTextIn(this.#line, field);
    return told === undefined ? textIn(this.event(), field) : told;
  }
}

const record = ',"record":{';

/**
 * The same as {@link textIn}, found without reading the rest of the line, which groups over very many lines would spend
 * most of their time on; undefined where only that tells. A quote within a text has a backslash before it, so that what
 * stands behind a bracket or a comma is a name.
 */
function flatTextIn(line: string, field: string): string | null | undefined {
  const from = line.indexOf(record) + record.length - 1;
  if (from < record.length || line.includes(':{', from) || line.includes('[{', from)) return undefined;
  const name = `${JSON.stringify(field)}:`;
  for (let at = line.indexOf(name, from); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = line[at - 1];
    if (before === '{' || before === ',') return valueAt(line, at + name.length);
  }
  return null;
}

function valueAt(line: string, from: number): string | undefined {
  if (line[from] === '[') return undefined;
  if (line[from] !== '"') return textOf(JSON.parse(line.slice(from, /[,}]/.exec(line.slice(from))!.index + from)));
  let end = line.indexOf('"', from + 1);
  while (isEscaped(line, end)) end = line.indexOf('"', end + 1);
  const written = line.slice(from + 1, end);
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(line: string, at: number): boolean {
  let first = at;
  while (line[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function textIn({ fields }: StoredEvent, field: string): string | null {
  return Object.hasOwn(fields, field) ? textOf(fields[field]) : null;
}

/** A value as reports show it: lists one item a line. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
