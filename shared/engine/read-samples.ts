import type { Correlator } from './correlation/correlator.ts';
import { FieldTable } from './events/field-table.ts';
import type { LogEvent } from './events/log-event.ts';
import { RouteTable } from './events/route.ts';
import { ValueTable } from './events/value-table.ts';
import type { Sample } from './findings.ts';
import { recordsPerPart } from './part-analyzer.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, ReadOptions } from './readers/reader.ts';
import { readerFor } from './readers/readers.ts';

/** One part of a log, to be read again. */
export interface LogPart {
  readonly source: ByteSource;
  readonly logType: LogType;
  readonly options: ReadOptions;
  /** Its name, where it is one of several files. */
  readonly file?: string;
}

/** Thrown to end the reading of a part. */
class EnoughError extends Error {
  override readonly name = 'EnoughError';
}

/**
 * Ends a correlator and gives it the samples that it still wants. They are read again, as most matches of
 * a large log are none: only of the parts that have some, and no further than the last. Rejects as readers do.
 */
export async function supplySamples(
  correlator: Correlator,
  partOf: (part: number) => LogPart | Promise<LogPart>,
): Promise<void> {
  const samples = new Map<number, Sample>();
  const byPart = new Map<number, number[]>();
  for (const order of correlator.end()) {
    const part = Math.floor(order / recordsPerPart);
    byPart.set(part, [...(byPart.get(part) ?? []), order]);
  }
  for (const [part, orders] of byPart) await readPart(await partOf(part), new Set(orders), samples, part);
  correlator.supply(samples);
}

async function readPart(
  { source, logType, options, file }: LogPart,
  wanted: ReadonlySet<number>,
  samples: Map<number, Sample>,
  part: number,
): Promise<void> {
  const tables = { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };
  let order = part * recordsPerPart;
  let left = wanted.size;
  const visit = (event: LogEvent): void => {
    if (!wanted.has(++order)) return;
    const fields = event.toRecord();
    samples.set(order, { ...event.head(), fields: file === undefined ? fields : { ...fields, _file: file } });
    left--;
  };
  const signal = {
    throwIfAborted(): void {
      options.signal?.throwIfAborted();
      if (left === 0) throw new EnoughError();
    },
  };
  const { onProgress: _, ...others } = options;
  try {
    await readerFor(logType)?.(source, tables, visit, { ...others, signal });
  } catch (error) {
    if (!(error instanceof EnoughError)) throw error;
  }
}
