import type { SourceFacts } from '../events/route.ts';
import { ABSENT } from '../events/value-id.ts';
import type { Reader, ReadOptions } from '../readers/reader.ts';
import { freshTables, readAll } from './read-all.ts';

/** What rules see of an event: where it comes from, and the fields asked for that it has. */
export interface Seen {
  readonly facts: readonly SourceFacts[];
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly keywords: readonly string[];
}

/** Reads all of an input and asks each event for these fields, as rules do. */
export async function lookUp(
  reader: Reader,
  input: Uint8Array | string,
  names: readonly string[],
  options: ReadOptions = {},
): Promise<Seen[]> {
  const tables = freshTables();
  const seen: Seen[] = [];
  await readAll(
    reader,
    input,
    (event) => {
      const fields: Record<string, string | readonly string[]> = {};
      for (const name of names) {
        const id = event.value(tables.fields.id(name));
        const several = event.values.items(id);
        if (id !== ABSENT) fields[name] = several?.map((one) => event.values.text(one)) ?? event.values.text(id);
      }
      const keywords: string[] = [];
      event.keywords((id) => {
        keywords.push(event.values.text(id));
        return false;
      });
      seen.push({ facts: event.route.facts, fields, keywords });
    },
    { ...options, tables },
  );
  return seen;
}
