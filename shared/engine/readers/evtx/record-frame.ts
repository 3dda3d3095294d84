import { BinXmlParser, type Instances } from './binxml-parser.ts';
import type { Chunk } from './chunk.ts';
import type { LayoutNode } from './layout-node.ts';
import type { InstancePiece, Piece } from './nodes.ts';
import type { Plan, Templates } from './templates.ts';
import { MOST_VALUES, token } from './tokens.ts';
import { valueType } from './value-types.ts';

const MOST_INSTANCES = 256;
const DEEPEST = 64;
/** A record is smaller than a chunk and each value has a descriptor of 4 bytes in it. */
const MOST_VALUES_OF_RECORD = 16_384;
const RECORD_HEADER = 24;
/** Offset of the time in the record header. */
export const TIME = 16;
/** Bytes of the descriptor of a value: its size in two, its type, and one of no meaning. */
const DESCRIPTOR = 4;
/** Parent of instances that stand in tokens, not in a value. */
const NO_PARENT = -1;

const instancePieces: readonly (readonly InstancePiece[])[] = Array.from({ length: MOST_INSTANCES }, (_, instance) => [
  { kind: 'instance', instance },
]);

/**
 * Where the values of one record lie. Reading a record fills arrays of numbers and nothing else, so
 * long as it consists of template instances within each other, as nearly all do; only other records
 * are parsed to pieces of their own. The object is used for one record after another.
 */
export class RecordFrame implements Instances {
  chunk!: Chunk;
  /** Offsets in the chunk: of the record, and of the end of its binary XML. */
  start = 0;
  end = 0;
  /** What the record consists of. */
  roots: readonly Piece[] = [];
  /** Where the chain of instances leads; undefined for records that are not such a chain. */
  node: LayoutNode | undefined;
  /** Whether part of the record could not be read. */
  damaged = false;
  instances = 0;
  openElements = 0;
  readonly #templates: Templates;
  readonly #plans: Plan[] = [];
  /** By instance, the bytes in which the descriptors of its values stand, and where they begin. */
  readonly #sources: Uint8Array[] = [];
  readonly #descriptors = new Int32Array(MOST_INSTANCES);
  readonly #counts = new Int32Array(MOST_INSTANCES);
  readonly #firsts = new Int32Array(MOST_INSTANCES);
  readonly #parents = new Int32Array(MOST_INSTANCES);
  readonly #places = new Int32Array(MOST_INSTANCES);
  readonly #offsets = new Int32Array(MOST_VALUES_OF_RECORD);
  /** Descriptors as a template instance has, of values that have none themselves. */
  readonly #written = new Uint8Array(MOST_VALUES_OF_RECORD * DESCRIPTOR);
  #values = 0;
  #depth = 0;
  readonly #fragments = new Map<number, readonly Piece[]>();

  constructor(templates: Templates) {
    this.#templates = templates;
  }

  /** Reads the record at `start`; its binary XML ends at `end`. */
  read(chunk: Chunk, start: number, end: number): void {
    this.chunk = chunk;
    this.start = start;
    this.end = end;
    this.instances = 0;
    this.node = undefined;
    this.damaged = false;
    this.#values = 0;
    this.#depth = 0;
    this.openElements = 0;
    if (this.#fragments.size > 0) this.#fragments.clear();
    const pieces = this.#readFragments(start + RECORD_HEADER, end, NO_PARENT, 0);
    if (pieces !== undefined) this.node = undefined;
    this.roots = pieces ?? instancePieces[0]!;
  }

  /** The record's number as its header says. */
  recordId(): bigint {
    return this.chunk.view.getBigUint64(this.start + 8, true);
  }

  /** When it was written as its header says: a FILETIME's lower and upper half. */
  time(): readonly [low: number, high: number] {
    const { view } = this.chunk;
    return [view.getUint32(this.start + TIME, true), view.getUint32(this.start + TIME + 4, true)];
  }

  /** What an instance consists of. */
  content(instance: number): readonly Piece[] {
    return this.#plans[instance]!.content;
  }

  /** Type of a value; that of none where the instance has fewer values. */
  type(instance: number, index: number): number {
    if (index >= this.#counts[instance]!) return valueType.none;
    return this.#sources[instance]![this.#descriptors[instance]! + index * DESCRIPTOR + 2]!;
  }

  /** Length of a value in bytes; only for values that `type` knows. */
  size(instance: number, index: number): number {
    const source = this.#sources[instance]!;
    const at = this.#descriptors[instance]! + index * DESCRIPTOR;
    return source[at]! | (source[at + 1]! << 8);
  }

  /** Offset of a value in the chunk; only for values that `type` knows. */
  offset(instance: number, index: number): number {
    return this.#offsets[this.#firsts[instance]! + index]!;
  }

  /** Whether the value is binary XML; an empty one is no different from no value. */
  isFragment(instance: number, index: number): boolean {
    return this.type(instance, index) === valueType.binaryXml && this.size(instance, index) > 0;
  }

  /** What a value of type binary XML consists of. */
  fragment(instance: number, index: number): readonly Piece[] {
    for (let i = 0; i < this.instances; i++) {
      if (this.#parents[i] === instance && this.#places[i] === index) return instancePieces[i]!;
    }
    return this.#fragments.get(instance * MOST_VALUES + index) ?? [];
  }

  open(at: number, end: number): number {
    return this.#open(at, end, NO_PARENT, 0);
  }

  /**
   * Reads what stands between these offsets; returns its pieces, or undefined when that is one
   * instance and nothing else, which then knows its place.
   */
  #readFragments(at: number, end: number, parent: number, place: number): readonly Piece[] | undefined {
    const { bytes } = this.chunk;
    const first = bytes[at] === token.fragmentHeader ? at + 4 : at;
    if (first >= end || bytes[first] !== token.instance) {
      return this.#openPlain(at, end, parent, place) ? undefined : this.#parse(at, end);
    }
    const instance = this.instances;
    const next = this.#open(first, end, parent, place);
    if (next < 0) {
      this.instances = instance;
      this.damaged = true;
      return [];
    }
    if (next >= end || bytes[next] === token.end) return undefined;
    this.#parents[instance] = NO_PARENT;
    return [...instancePieces[instance]!, ...this.#parse(next, end)];
  }

  #open(at: number, end: number, parent: number, place: number): number {
    const { view } = this.chunk;
    if (at + 14 > end || this.instances === MOST_INSTANCES || this.#depth === DEEPEST) return -1;
    const definition = view.getUint32(at + 6, true);
    const plan = this.#templates.plan(definition);
    if (plan === undefined) return -1;
    const table = definition === at + 10 ? at + 34 + view.getUint32(at + 30, true) : at + 10;
    if (table + 4 > end) return -1;
    const count = view.getUint32(table, true);
    if (count > MOST_VALUES || table + 4 + count * DESCRIPTOR > end) return -1;
    return this.#locate(this.#enter(plan, parent, place), table + 4, count, end);
  }

  /** Takes tokens without template as an instance of what such records have in common, if it can. */
  #openPlain(at: number, end: number, parent: number, place: number): boolean {
    if (this.instances === MOST_INSTANCES || this.#depth === DEEPEST) return false;
    const plan = this.#templates.plain(at, end, this.openElements);
    if (plan === undefined) return false;
    const { values, offsets, sizes, types } = this.#templates.scanner;
    const instance = this.#enter(plan, parent, place);
    const first = this.#values;
    const written = this.#written;
    this.#sources[instance] = written;
    this.#descriptors[instance] = first * DESCRIPTOR;
    this.#counts[instance] = values;
    this.#firsts[instance] = first;
    for (let i = 0; i < values; i++) {
      this.#offsets[first + i] = offsets[i]!;
      const descriptor = (first + i) * DESCRIPTOR;
      written[descriptor] = sizes[i]!;
      written[descriptor + 1] = sizes[i]! >> 8;
      written[descriptor + 2] = types[i]!;
    }
    this.#values = first + values;
    return true;
  }

  /** Writes where the values lie; returns the offset after them, -1 when they run over `end`. */
  #locate(instance: number, descriptors: number, count: number, end: number): number {
    const { view, bytes } = this.chunk;
    const offsets = this.#offsets;
    const first = this.#values;
    this.#sources[instance] = bytes;
    this.#descriptors[instance] = descriptors;
    this.#counts[instance] = count;
    this.#firsts[instance] = first;
    let offset = descriptors + count * DESCRIPTOR;
    let nested = 0;
    for (let i = 0; i < count; i++) {
      const descriptor = view.getInt32(descriptors + i * DESCRIPTOR, true);
      offsets[first + i] = offset;
      offset += descriptor & 0xffff;
      if (((descriptor >> 16) & 0xff) === valueType.binaryXml) nested++;
    }
    if (offset > end) return -1;
    this.#values = first + count;
    for (let i = 0; nested > 0; i++) {
      if (this.type(instance, i) !== valueType.binaryXml) continue;
      nested--;
      if (this.size(instance, i) > 0) this.#nest(instance, i);
    }
    return offset;
  }

  #nest(instance: number, index: number): void {
    const at = this.offset(instance, index);
    const end = at + this.size(instance, index);
    const { openElements } = this;
    this.#depth++;
    const pieces = this.#readFragments(at, end, instance, index);
    this.#depth--;
    this.openElements = openElements;
    if (pieces === undefined) return;
    this.node = undefined;
    this.#fragments.set(instance * MOST_VALUES + index, pieces);
  }

  #parse(at: number, end: number): readonly Piece[] {
    const parser = new BinXmlParser(this.chunk, at, end, { kind: 'record', instances: this });
    const pieces = parser.parse();
    if (parser.damaged) this.damaged = true;
    return pieces;
  }

  #enter(plan: Plan, parent: number, place: number): number {
    const instance = this.instances++;
    this.#plans[instance] = plan;
    this.#parents[instance] = parent;
    this.#places[instance] = place;
    if (plan.damaged) this.damaged = true;
    if (!plan.fixedNames) this.node = undefined;
    else if (instance === 0) this.node = plan.layouts;
    else if (this.node !== undefined) {
      this.node = this.node.child((plan.id * (MOST_INSTANCES + 1) + parent + 1) * MOST_VALUES + place);
    }
    return instance;
  }
}
