import type { FieldId } from '../../events/field-table.ts';
import { ABSENT, EMPTY, type ValueId, ValueTable } from '../../events/value-table.ts';
import type { EventTables } from '../reader.ts';
import { decodePlain } from '../xml/xml-text.ts';

const namesBudget = 1024 * 1024;
const UNKNOWN = -1;
const longestName = 256;
const mostSlots = 65_536;

/**
 * Names and values of text records, found where they stand and made into values when asked for.
 * Names are numbers, of their exact and of their folded spelling, so that finding a field compares
 * numbers. One object serves all records of a log.
 */
export class NamedSlots {
  /** Decoder number of a value that stands there as it is. */
  readonly plain: number;
  readonly #tables: EventTables;
  readonly #names = new ValueTable(namesBudget);
  readonly #plainName = this.#names.kind(decodePlain);
  #generation = 0;
  /** By handle of a name as it stands: its number, and the number of its folded spelling. */
  #exactOf: number[] = [];
  #foldedOf: number[] = [];
  #wanted: number[] = [];
  #wantedFolded: number[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #count = 0;
  #exact = new Int32Array(256);
  #folded = new Int32Array(256);
  #starts = new Int32Array(256);
  #ends = new Int32Array(256);
  #kinds = new Int32Array(256);
  #ids = new Int32Array(256);
  readonly #texts: string[] = [];

  constructor(tables: EventTables) {
    this.#tables = tables;
    this.plain = tables.values.kind(decodePlain);
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there are as many values as are kept, so that further ones are left out. */
  get isFull(): boolean {
    return this.#count >= mostSlots;
  }

  /** Takes up other bytes; all slots are void. */
  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#count = 0;
    this.#texts.length = 0;
    this.#names.nextRecord();
    if (this.#names.generation === this.#generation) return;
    this.#generation = this.#names.generation;
    this.#exactOf = [];
    this.#foldedOf = [];
    this.#wanted = [];
    this.#wantedFolded = [];
  }

  /**
   * A value at [start, end), read by the decoder of `kind`, under the name at [nameStart, nameEnd).
   * Returns its slot; -1 when it is left out.
   */
  add(nameStart: number, nameEnd: number, start: number, end: number, kind = this.plain): number {
    if (this.isFull) return UNKNOWN;
    const length = Math.min(nameEnd - nameStart, longestName);
    const name = this.#names.internBytes(this.#plainName, this.#bytes, nameStart, length);
    const exact = (this.#exactOf[name] ??= this.#names.intern(this.#names.text(name)));
    const folded = (this.#foldedOf[name] ??= this.#names.intern(this.#names.folded(name)));
    return this.#push(exact, folded, start, end, kind);
  }

  /** A value made of others. */
  addText(name: string, text: string): void {
    if (!this.isFull) this.#pushNamed(name, UNKNOWN, this.#texts.push(text) - 1, this.plain);
  }

  /** A value at [start, end) that is read by the decoder of `kind`, under a name that is known. */
  addNamed(name: string, start: number, end: number, kind: number): void {
    if (!this.isFull) this.#pushNamed(name, start, end, kind);
  }

  /** Another decoder for a slot not yet read. */
  decodeAs(slot: number, kind: number): void {
    this.#kinds[slot] = kind;
  }

  /** Value of a field among the slots at [from, to): exact case first, several values as a list. */
  value(field: FieldId, from = 0, to = this.#count): ValueId {
    const exact = this.exact(field, from, to);
    if (exact !== ABSENT) return exact;
    return this.#scan(this.#folded, (this.#wantedFolded[field] ??= this.#want(field, true)), from, to);
  }

  /** Value of a field whose name is spelt in just this way. */
  exact(field: FieldId, from = 0, to = this.#count): ValueId {
    return this.#scan(this.#exact, (this.#wanted[field] ??= this.#want(field, false)), from, to);
  }

  /** The texts of the slots at [from, to), by name, empty ones left out. */
  texts(from = 0, to = this.#count): Map<string, string[]> {
    const texts = new Map<string, string[]>();
    for (let slot = from; slot < to; slot++) {
      const text = this.text(slot);
      if (text === '') continue;
      const name = this.name(slot);
      const known = texts.get(name);
      if (known === undefined) texts.set(name, [text]);
      else known.push(text);
    }
    return texts;
  }

  name(slot: number): string {
    return this.#names.text(this.#exact[slot]!);
  }

  text(slot: number): string {
    return this.#tables.values.text(this.id(slot));
  }

  /** Whether the value is not as it stands in the record. */
  isDecoded(slot: number): boolean {
    return this.#starts[slot] === UNKNOWN || this.#kinds[slot] !== this.plain;
  }

  /** Handle of a slot's value. */
  id(slot: number): ValueId {
    const known = this.#ids[slot]!;
    return known === UNKNOWN ? (this.#ids[slot] = this.#intern(slot)) : known;
  }

  #intern(slot: number): ValueId {
    const { values } = this.#tables;
    const start = this.#starts[slot]!;
    const end = this.#ends[slot]!;
    if (start === UNKNOWN) return values.intern(this.#texts[end]!);
    return end === start ? EMPTY : values.internBytes(this.#kinds[slot]!, this.#bytes, start, end - start);
  }

  #scan(names: Int32Array, wanted: number, from: number, to: number): ValueId {
    let first = UNKNOWN;
    let several: ValueId[] | undefined;
    for (let slot = from; slot < to; slot++) {
      if (names[slot] !== wanted) continue;
      if (first === UNKNOWN) first = slot;
      else (several ??= [this.id(first)]).push(this.id(slot));
    }
    if (first === UNKNOWN) return ABSENT;
    return several === undefined ? this.id(first) : this.#tables.values.list(several);
  }

  #want(field: FieldId, isFolded: boolean): number {
    const name = this.#tables.fields.name(field);
    return this.#names.intern(isFolded ? name.toLowerCase() : name);
  }

  #pushNamed(name: string, start: number, end: number, kind: number): void {
    const exact = this.#names.intern(name.slice(0, longestName));
    const folded = (this.#foldedOf[exact] ??= this.#names.intern(this.#names.folded(exact)));
    this.#push(exact, folded, start, end, kind);
  }

  #push(exact: number, folded: number, start: number, end: number, kind: number): number {
    const slot = this.#count++;
    if (slot >= this.#exact.length) this.#grow();
    this.#exact[slot] = exact;
    this.#folded[slot] = folded;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
    this.#kinds[slot] = kind;
    this.#ids[slot] = UNKNOWN;
    return slot;
  }

  #grow(): void {
    this.#exact = doubled(this.#exact);
    this.#folded = doubled(this.#folded);
    this.#starts = doubled(this.#starts);
    this.#ends = doubled(this.#ends);
    this.#kinds = doubled(this.#kinds);
    this.#ids = doubled(this.#ids);
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
