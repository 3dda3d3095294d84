import type { LogEvent } from '../events/log-event.ts';
import { detectLogType } from '../readers/detect-log-type.ts';
import { readerFor } from '../readers/readers.ts';
import { freshTables, readAll } from './read-all.ts';

/** Fields of a log's first record, by the names that rules use, and where it comes from. */
export interface FirstRecord {
  readonly type: string;
  readonly time: string | null;
  readonly from: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Reads a log by the type that is detected. */
export async function firstRecord(log: string, names: readonly string[]): Promise<FirstRecord> {
  const type = detectLogType(new TextEncoder().encode(log));
  const tables = freshTables();
  const first: { from: string; fields: Record<string, string | undefined> }[] = [];
  const look = (event: LogEvent): void => {
    const { channel, eventId, facts } = event.route;
    const categories = facts.map((one) => [one.product ?? '-', one.category ?? one.service ?? '-'].join('/'));
    const value = (name: string): string | undefined => {
      const id = event.value(tables.fields.id(name));
      return id === 0 ? undefined : event.values.text(event.values.items(id)?.[0] ?? id);
    };
    first.push({
      from: facts.length === 0 ? `${channel} ${eventId}` : categories.at(-1)!,
      fields: Object.fromEntries(names.map((name) => [name, value(name)])),
    });
  };
  const { heads } = await readAll(readerFor(type)!, log, look, { tables });
  return { type, time: heads[0]!.timestamp, ...first[0]! };
}
