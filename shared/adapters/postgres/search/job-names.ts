import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { jobs } from '../schema/index.ts';
import { chunkBytes, chunkSize, setOf, type JobSet } from './job-set.ts';

/** Names of a run of ids in one text, so that looking through it is looking through all of them. */
interface Run {
  readonly ids: readonly number[];
  /** The names, each with a line break before it and the last with one behind it; none has one within. */
  readonly text: string;
  /** Where the line break before each name is. */
  readonly breaks: readonly number[];
  /** Jobs that need not be asked for again. */
  readonly known: Uint8Array;
}

/** A name in lower case: what it contains, or its pieces between wildcards. */
export interface NamePattern {
  readonly text: string;
  readonly isWildcard: boolean;
}

/**
 * Names of jobs, kept in the process: they never change, so a run is read again only when it has got more of them.
 * Takes some 50 bytes a job from the first search for a word on.
 */
export class JobNames {
  readonly #db: Database;
  readonly #runs = new Map<number, Run>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reads those names of these jobs that are not known. */
  async know(all: JobSet): Promise<void> {
    const stale = [...all].filter(([chunk, bits]) => {
      const known = this.#runs.get(chunk)?.known;
      return bits.some((byte, at) => (byte & ~(known?.[at] ?? 0)) !== 0);
    });
    if (stale.length === 0) return;
    const size = sql.raw(String(chunkSize));
    const rows = await rowsOf<{ chunk: number; ids: number[]; names: string }>(
      this.#db,
      sql`select chunk, ids, names
        from unnest(${sql.param(stale.map(([chunk]) => chunk))}::int[]) as chunk cross join lateral (
          select array_agg(id) as ids, string_agg(search_name, ${'\n'}::text) as names from (
            select id, search_name from ${jobs}
            where id between chunk * ${size} and chunk * ${size} + ${size} - 1 order by id
          ) as run
        ) as read where ids is not null`,
    );
    const read = new Map(rows.map((row) => [row.chunk, row]));
    for (const [chunk, bits] of stale) {
      const { ids, names } = read.get(chunk) ?? { ids: [], names: '' };
      // One that has gone meanwhile counts as known: it is found no more.
      const there = setOf(ids).get(chunk);
      const known = bits.map((byte, at) => byte | (there?.[at] ?? 0));
      this.#runs.set(chunk, { ids, known, ...inOneText(names) });
    }
  }

  /** Those of the jobs, all of known names, whose name matches. */
  named(all: JobSet, pattern: NamePattern): JobSet {
    const found = new Map<number, Uint8Array>();
    for (const chunk of all.keys()) {
      const run = this.#runs.get(chunk);
      const bits = new Uint8Array(chunkBytes);
      if (run && collect(run, pattern, bits)) found.set(chunk, bits);
    }
    return found;
  }
}

function inOneText(names: string): Pick<Run, 'breaks' | 'text'> {
  const text = `\n${names}\n`;
  const breaks: number[] = [];
  for (let at = 0; at < text.length - 1; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return { text, breaks };
}

/** Sets the bits of those of a run whose names match: looks for the longest piece, then at the names that have it. */
function collect({ ids, text, breaks }: Run, { text: asked, isWildcard }: NamePattern, bits: Uint8Array): boolean {
  if (asked.includes('\n')) return false;
  const pieces = isWildcard ? `\n${asked}\n`.split('*') : [asked];
  const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a), '');
  let [row, hasAny] = [0, false];
  for (let at = text.indexOf(longest); at >= 0; at = text.indexOf(longest, breaks[row])) {
    while ((breaks[row + 1] ?? text.length) <= at) row += 1;
    const end = breaks[row + 1] ?? text.length - 1;
    if (pieces.length === 1 || inOrder(text.slice(breaks[row], end + 1), pieces)) {
      const place = (ids[row] ?? 0) % chunkSize;
      bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
      hasAny = true;
    }
    row += 1;
    if (row >= ids.length) break;
  }
  return hasAny;
}

/** Whether a name, between its line breaks, begins with the first piece, ends with the last, and has the others between. */
function inOrder(name: string, pieces: readonly string[]): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const place = name.indexOf(piece, at);
    if (place < 0) return false;
    at = place + piece.length;
  }
  return at + last.length <= name.length;
}
