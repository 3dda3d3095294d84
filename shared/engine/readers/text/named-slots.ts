import type { FieldId } from '../../events/field-table.ts';
import { ValueTable } from '../../events/value-table.ts';
import type { SlotName } from '../../events/shape.ts';
import { ABSENT, EMPTY, type ValueId } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import { decodePlain } from '../xml/xml-text.ts';
import { NameLists } from './name-lists.ts';

const namesBudget = 1024 * 1024;
const UNKNOWN = -1;
const longestName = 256;
const mostSlots = 65_536;

/**
 * Names and values of text records, found where they stand and made into values when asked for.
 * Names are numbers, of their exact and of their folded spelling, and slots whose folded names are the
 * same are chained, so that finding a field looks at none but its own. One object serves all records of a log.
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
  /** By handle of a name, the one that came next when it was last met: most records repeat the order. */
  #following = new Int32Array(256);
  #lastName = 0;
  /** By handle of a folded name, one more than its last slot; 0 for none. */
  #heads = new Int32Array(256);
  /** By slot, one more than the slot before it of the same folded name. */
  #before = new Int32Array(256);
  readonly #tag: (name: string) => number;
  #tags: number[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #count = 0;
  #exact = new Int32Array(256);
  #folded = new Int32Array(256);
  #starts = new Int32Array(256);
  #ends = new Int32Array(256);
  #kinds = new Int32Array(256);
  #ids = new Int32Array(256);
  readonly #texts: string[] = [];
  readonly #lists: NameLists;

  /**
   * @param tag what a user of the slots wants to know of a name, worked out once for each.
   * @param own names that all records have besides, which stand first in their lists.
   */
  constructor(tables: EventTables, tag: (name: string) => number = () => 0, own: readonly string[] = []) {
    this.#tables = tables;
    this.#lists = new NameLists(own);
    this.#tag = tag;
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
    for (let slot = 0; slot < this.#count; slot++) this.#heads[this.#folded[slot]!] = 0;
    this.#bytes = bytes;
    this.#count = 0;
    this.#texts.length = 0;
    this.#lastName = 0;
    this.#names.nextRecord();
    if (this.#names.generation === this.#generation) return;
    this.#generation = this.#names.generation;
    this.#lists.clear();
    this.#exactOf = [];
    this.#foldedOf = [];
    this.#wanted = [];
    this.#wantedFolded = [];
    this.#tags = [];
    this.#following.fill(0);
  }

  /**
   * A value at [start, end), read by the decoder of `kind`, under the name at [nameStart, nameEnd).
   * Returns its slot; -1 when it is left out.
   */
  add(nameStart: number, nameEnd: number, start: number, end: number, kind = this.plain): number {
    if (this.isFull) return UNKNOWN;
    const length = Math.min(nameEnd - nameStart, longestName);
    const last = this.#lastName;
    const guess = this.#following[last]!;
    const name = this.#names.internBytes(this.#plainName, this.#bytes, nameStart, length, guess);
    if (name >= this.#following.length) this.#following = grown(this.#following, name);
    this.#following[last] = name;
    this.#lastName = name;
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

  /** Whether any slot has this name, in whatever case. */
  has(field: FieldId): boolean {
    return this.#lastSlot(field, 0, this.#count) >= 0;
  }

  /** Value of a field among the slots at [from, to): exact case first, several values as a list. */
  value(field: FieldId, from = 0, to = this.#count): ValueId {
    let slot = this.#lastSlot(field, from, to);
    if (slot < from) return ABSENT;
    const exact = (this.#wanted[field] ??= this.#want(field, false));
    let found = UNKNOWN;
    let hasExact = false;
    let several: number[] | undefined;
    for (; slot >= from; slot = this.#before[slot]! - 1) {
      const isExact = this.#exact[slot] === exact;
      if (hasExact && !isExact) continue;
      if (found === UNKNOWN || isExact !== hasExact) several = undefined;
      else (several ??= [found]).push(slot);
      found = slot;
      hasExact = isExact;
    }
    return several === undefined ? this.id(found) : this.#together(several);
  }

  /** Value of a field whose name is spelt in just this way. */
  exact(field: FieldId, from = 0, to = this.#count): ValueId {
    const exact = (this.#wanted[field] ??= this.#want(field, false));
    const several: number[] = [];
    for (let slot = this.#lastSlot(field, from, to); slot >= from; slot = this.#before[slot]! - 1) {
      if (this.#exact[slot] === exact) several.push(slot);
    }
    return several.length > 1 ? this.#together(several) : several.length > 0 ? this.id(several[0]!) : ABSENT;
  }

  /** Names of the slots at [from, to), those of all records before and the computer of the head behind them. */
  names(from = 0, to = this.#count): readonly SlotName[] {
    return this.#lists.of(this.#exact, from, to, this.#nameAt);
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

  /** What the user of the slots wants to know of a slot's name. */
  tag(slot: number): number {
    const name = this.#exact[slot]!;
    return (this.#tags[name] ??= this.#tag(this.#names.text(name)));
  }

  name(slot: number): string {
    return this.#names.text(this.#exact[slot]!);
  }

  readonly #nameAt = (slot: number): string => this.name(slot);

  text(slot: number): string {
    return this.#tables.values.text(this.id(slot));
  }

  /** Whether `visit` says so of a value at [from, to) that is not as it stands in the record. */
  someDecoded(visit: (value: ValueId) => boolean, from = 0, to = this.#count): boolean {
    for (let slot = from; slot < to; slot++) {
      if (this.#starts[slot] !== UNKNOWN && this.#kinds[slot] === this.plain) continue;
      const id = this.id(slot);
      if (id > EMPTY && visit(id)) return true;
    }
    return false;
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

  /** The last slot at [from, to) of a field's name, in whatever case; one before `from` where there is none. */
  #lastSlot(field: FieldId, from: number, to: number): number {
    const wanted = (this.#wantedFolded[field] ??= this.#want(field, true));
    let slot = (this.#heads[wanted] ?? 0) - 1;
    for (let steps = to - from; slot >= to; slot = this.#before[slot]! - 1) {
      // Where the name is in record after record behind, these few slots are looked at instead.
      if (steps-- <= 0) return this.#lastAmong(wanted, from, to);
    }
    return slot;
  }

  #lastAmong(wanted: number, from: number, to: number): number {
    let slot = to - 1;
    while (slot >= from && this.#folded[slot] !== wanted) slot--;
    return slot;
  }

  /** The values of several slots, the last of them first. */
  #together(slots: readonly number[]): ValueId {
    return this.#tables.values.list(slots.map((slot) => this.id(slot)).reverse());
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
    if (folded >= this.#heads.length) this.#heads = grown(this.#heads, folded);
    this.#before[slot] = this.#heads[folded]!;
    this.#heads[folded] = slot + 1;
    return slot;
  }

  #grow(): void {
    const last = this.#count - 1;
    this.#exact = grown(this.#exact, last);
    this.#folded = grown(this.#folded, last);
    this.#starts = grown(this.#starts, last);
    this.#ends = grown(this.#ends, last);
    this.#kinds = grown(this.#kinds, last);
    this.#ids = grown(this.#ids, last);
    this.#before = grown(this.#before, last);
  }
}

/** A longer array of the same numbers, which has a place for `index`. */
function grown(array: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(array.length * 2, index + 1));
  larger.set(array);
  return larger;
}
