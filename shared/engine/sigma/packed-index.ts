import type { Anchors, AnchorTable } from '../matching/anchor-table.ts';
import { type IndexedSource, once, type SourceIndex } from '../matching/rule-index.ts';
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

interface WrittenAnchors {
  readonly tables: readonly WrittenTable[];
  readonly always: readonly number[];
}

interface WrittenIndex extends Omit<SourceIndex, 'anchors' | 'byValue'> {
  readonly anchors: Place;
  readonly byValue: readonly (readonly [value: string, anchors: Place])[];
}

/** Writes down how the rules of a log source are found. */
export function writeIndex(writer: PackedWriter, { source, size, index }: IndexedSource): WrittenSource {
  const { anchors, byValue, ...rest } = index();
  const values = [...byValue].map(([value, of]) => [value, writeAnchors(writer, of())] as const);
  const written: WrittenIndex = { ...rest, anchors: writeAnchors(writer, anchors), byValue: values };
  return { source, size, index: writer.json(written) };
}

function writeAnchors(writer: PackedWriter, { tables, always }: Anchors): Place {
  const written: WrittenAnchors = { always, tables: tables.map((table) => writeTable(writer, table)) };
  return writer.json(written);
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

/** The same again; what is said of a log source, or of a value that decides, is decoded when it is first asked for. */
export function readIndex(reader: PackedReader, { source, size, index }: WrittenSource): IndexedSource {
  const read = (): SourceIndex => {
    const { anchors, byValue, ...rest } = reader.json(index) as WrittenIndex;
    const values = byValue.map(([value, place]) => [value, once(() => readAnchors(reader, place))] as const);
    return { ...rest, anchors: readAnchors(reader, anchors), byValue: new Map(values) };
  };
  return { source, size, index: once(read) };
}

function readAnchors(reader: PackedReader, place: Place): Anchors {
  const { tables, always } = reader.json(place) as WrittenAnchors;
  return { always, tables: tables.map((table) => readTable(reader, table)) };
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
