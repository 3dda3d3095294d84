import { FieldTable } from '../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord } from '../events/log-event.ts';
import { RouteTable } from '../events/route.ts';
import { ValueTable } from '../events/value-table.ts';
import type { ByteSource, EventTables, Reader, ReadOptions, ReadReport } from '../readers/reader.ts';

/** What a reader said of an input. */
export interface ReadResult {
  readonly records: readonly OutputRecord[];
  readonly heads: readonly EventHead[];
  readonly report: ReadReport;
}

/** The bytes as a source. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, into) => {
      const piece = bytes.subarray(offset, offset + into.length);
      into.set(piece);
      return piece.length;
    },
  };
}

export function freshTables(): EventTables {
  return { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };
}

/** Reads all of an input and keeps what its events give out; `visit` sees each event first. */
export async function readAll(
  reader: Reader,
  input: Uint8Array | string,
  visit: (event: LogEvent) => void = () => {},
  { tables = freshTables(), ...options }: ReadOptions & { tables?: EventTables } = {},
): Promise<ReadResult> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const records: OutputRecord[] = [];
  const heads: EventHead[] = [];
  const report = await reader(
    sourceOf(bytes),
    tables,
    (event) => {
      visit(event);
      records.push(event.toRecord());
      heads.push(event.head());
      assertAlike(event);
    },
    options,
  );
  return { records, heads, report };
}

/** What is told of every record in short is what its head tells. */
function assertAlike(event: LogEvent): void {
  const { timestamp, computer } = event.head();
  const [told, ms] = [timestamp === null ? Number.NaN : Date.parse(timestamp), event.time()];
  // Dates do not read years of more than four digits.
  const isAlike = Object.is(told, ms) || (timestamp !== null && Number.isNaN(told));
  if (!isAlike) throw new Error(`time() is ${ms} where the head says ${timestamp}`);
  const id = event.computer();
  const name = event.values.text(event.values.items(id)?.[0] ?? id);
  if (name !== (computer ?? '')) throw new Error(`computer() is ${name} where the head says ${computer}`);
}
