import type { AnchorTable } from '../matching/anchor-table.ts';
import type { IndexedSource, RoutedRule, SourceIndex } from '../matching/rule-index.ts';
import type { LogSource } from './log-source.ts';
import type { PackedReader, PackedWriter, Place } from './packed.ts';

/** One log source as it is written down; its index lies elsewhere. */
export interface WrittenSource {
  readonly source: LogSource;
  readonly size: number;
  readonly index: Place;
}

interface WrittenTable {
  readonly field: string | null;
  readonly wholes: readonly (readonly [literal: string, rules: readonly number[]])[];
  readonly parts: {
    readonly units: Place;
    readonly starts: Place;
    readonly heads: Place;
    readonly next: Place;
    readonly places: Place;
  } | null;
  readonly partRules: Place;
  readonly partStarts: Place;
}

interface WrittenIndex {
  readonly tables: readonly WrittenTable[];
  readonly always: readonly number[];
  readonly routed: readonly RoutedRule[];
}

/** Writes down how the rules of a log source are found. */
export function writeIndex(writer: PackedWriter, indexed: IndexedSource): WrittenSource {
  const { tables, always, routed } = indexed.index();
  const written: WrittenIndex = { tables: tables.map((table) => writeTable(writer, table)), always, routed };
  return { source: indexed.source, size: indexed.size, index: writer.json(written) };
}

function writeTable(writer: PackedWriter, { field, wholes, parts, partRules, partStarts }: AnchorTable): WrittenTable {
  return {
    field,
    wholes: [...wholes],
    parts: parts && {
      units: writer.characters(parts.units),
      starts: writer.numbers(parts.starts),
      heads: writer.numbers(parts.heads),
      next: writer.numbers(parts.next),
      places: writer.numbers(parts.places),
    },
    partRules: writer.numbers(partRules),
    partStarts: writer.numbers(partStarts),
  };
}

/** The same again; what is said of a log source is decoded when it is first asked for. */
export function readIndex(reader: PackedReader, { source, size, index: place }: WrittenSource): IndexedSource {
  let known: SourceIndex | undefined;
  const read = (): SourceIndex => {
    const { tables, ...rest } = reader.json(place) as WrittenIndex;
    return { ...rest, tables: tables.map((table) => readTable(reader, table)) };
  };
  return { source, size, index: () => (known ??= read()) };
}

function readTable(reader: PackedReader, { field, wholes, parts, partRules, partStarts }: WrittenTable): AnchorTable {
  return {
    field,
    wholes: new Map(wholes),
    parts: parts && {
      units: reader.characters(parts.units),
      starts: reader.numbers(parts.starts),
      heads: reader.numbers(parts.heads),
      next: reader.numbers(parts.next),
      places: reader.numbers(parts.places),
    },
    partRules: reader.numbers(partRules),
    partStarts: reader.numbers(partStarts),
  };
}
