import type { Correlator } from './correlation/correlator.ts';
import type { CorrelatedMatch } from './correlation/match-collector.ts';
import { FieldTable } from './events/field-table.ts';
import type { ByteRange, LogEvent } from './events/log-event.ts';
import { RouteTable } from './events/route.ts';
import { ValueTable } from './events/value-table.ts';
import type { Sample } from './findings.ts';
import { recordsPerPart } from './part-analyzer.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, EventTables, ReadOptions } from './readers/reader.ts';
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
 * Ends a correlator and gives it the samples that it still wants. They are read again, as few matches are shown and
 * most of a large log are not kept: only of the parts that have some, of these the ranges that records can be read
 * from, and no further than the last. Rejects as readers do.
 */
export async function supplySamples(
  correlator: Correlator,
  partOf: (part: number) => LogPart | Promise<LogPart>,
): Promise<void> {
  const samples = new Map<number, Sample>();
  const byPart = groupedBy(correlator.end(), ({ order }) => Math.floor(order / recordsPerPart));
  for (const [part, wanted] of byPart) {
    const reading = new PartReading(await partOf(part), samples);
    const alone = groupedBy(wanted, ({ place }) => place?.range.from);
    for (const [from, matches] of alone) {
      await (from === undefined
        ? reading.fromStart(part, matches)
        : reading.ofRange(matches[0]!.place!.range, matches));
    }
  }
  correlator.supply(samples);
}

function groupedBy<K>(
  matches: readonly CorrelatedMatch[],
  keyOf: (match: CorrelatedMatch) => K,
): Map<K, CorrelatedMatch[]> {
  const groups = new Map<K, CorrelatedMatch[]>();
  for (const match of matches) {
    const key = keyOf(match);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [match]);
    else group.push(match);
  }
  return groups;
}

/** Reads records of one part again, by their places in it. */
class PartReading {
  readonly #part: LogPart;
  readonly #samples: Map<number, Sample>;
  readonly #tables: EventTables = { fields: new FieldTable(), values: new ValueTable(), routes: new RouteTable() };

  constructor(part: LogPart, samples: Map<number, Sample>) {
    this.#part = part;
    this.#samples = samples;
  }

  /** Counts the records. */
  async fromStart(part: number, matches: readonly CorrelatedMatch[]): Promise<void> {
    const wanted = new Set(matches.map(({ order }) => order));
    let order = part * recordsPerPart;
    await this.#read(this.#part.options.range, wanted.size, () => (wanted.has(++order) ? order : undefined));
  }

  async ofRange(range: ByteRange, matches: readonly CorrelatedMatch[]): Promise<void> {
    const wanted = new Map(matches.map(({ place, order }) => [place!.offset, order]));
    await this.#read(range, wanted.size, ({ offset }) => wanted.get(offset));
  }

  /** @param orderOf the record's place among those of the input, where it is wanted. */
  async #read(
    range: ByteRange | undefined,
    count: number,
    orderOf: (event: LogEvent) => number | undefined,
  ): Promise<void> {
    const { source, logType, options, file } = this.#part;
    let left = count;
    const visit = (event: LogEvent): void => {
      const order = orderOf(event);
      if (order === undefined) return;
      const fields = event.toRecord();
      this.#samples.set(order, { ...event.head(), fields: file === undefined ? fields : { ...fields, _file: file } });
      left--;
    };
    const signal = {
      throwIfAborted(): void {
        options.signal?.throwIfAborted();
        if (left === 0) throw new EnoughError();
      },
    };
    const { onProgress: _, range: _whole, ...others } = options;
    try {
      await readerFor(logType)?.(source, this.#tables, visit, { ...others, ...(range && { range }), signal });
    } catch (error) {
      if (!(error instanceof EnoughError)) throw error;
    }
  }
}
