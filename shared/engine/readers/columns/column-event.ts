import { ByteFinder } from './byte-finder.ts';
import { findByte } from './find-byte.ts';
import type { FieldId } from '../../events/field-table.ts';
import type { OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { EventNames, SlotName } from '../../events/shape.ts';
import { ABSENT, EMPTY, type ValueId } from '../../events/value-id.ts';
import { NamedEvent } from '../named/named-event.ts';
import { percentDecodedBytes } from '../named/percent.ts';
import type { EventTables } from '../reader.ts';
import { decodePlain } from '../xml/xml-text.ts';
import type { Column, Layout, Plan } from './layout.ts';

const NOWHERE = -1;
const PERCENT = 0x25;

/** What was found out about a layout. */
interface KnownLayout {
  /** By field. */
  readonly plans: (Plan | undefined)[];
  readonly names: EventNames;
}

/**
 * A record of a text log whose values stand at known places of its bytes: the reader says where each
 * column is, and nothing is decoded that nobody asks for. One event for all records.
 */
export class ColumnEvent extends NamedEvent {
  protected profile: Layout['profile'];
  #layout: Layout;
  readonly #knownOf = new WeakMap<Layout, KnownLayout>();
  /** Of the layout. */
  #known: KnownLayout;
  readonly #plain: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** What keyword rules search; of the present record once `#isCollected`. */
  readonly #searched: ValueId[] = [];
  #isCollected = false;
  readonly #percent = new ByteFinder(PERCENT);
  readonly #marks = new Map<number, ByteFinder>();
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);

  constructor(tables: EventTables, layout: Layout) {
    super(tables);
    this.#layout = layout;
    this.profile = layout.profile;
    this.#known = this.#knownLayout(layout);
    this.#plain = tables.values.kind(decodePlain);
  }

  /** Takes up the record at [start, end), as yet without values. */
  begin(layout: Layout, bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.values.nextRecord();
    this.offset = offset;
    this.#isCollected = false;
    if (layout !== this.#layout) this.#take(layout);
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    const count = layout.columns.length;
    if (count > this.#starts.length) {
      this.#starts = new Int32Array(count * 2);
      this.#ends = new Int32Array(count * 2);
    }
    this.#starts.fill(NOWHERE, 0, count);
  }

  /** Where the value of a column stands. */
  set(column: number, start: number, end: number): void {
    this.#starts[column] = start;
    this.#ends[column] = end;
  }

  value(field: FieldId): ValueId {
    const plan = this.#plan(field);
    let id = ABSENT;
    for (const slots of plan.slots) if ((id = this.#together(slots)) !== ABSENT) break;
    if (id === ABSENT) id = plan.constant === undefined ? this.derive(plan.key) : this.values.intern(plan.constant);
    return plan.decodes && id !== ABSENT && this.#holds(this.#percent) ? this.withDecoded(id) : id;
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    if (!this.#isCollected) this.#collect();
    for (const id of this.#searched) if (visit(id)) return true;
    return false;
  }

  get names(): EventNames {
    return this.#known.names;
  }

  get slotNames(): readonly SlotName[] {
    return this.namesOf(this.#layout.columns);
  }

  at(place: number): ValueId {
    const column = this.#layout.columns[place];
    if (column === undefined) return this.computer();
    const id = this.#slot(place);
    return column.separator === undefined ? this.#items(id)[0]! : id;
  }

  toRecord(): OutputRecord {
    const record = new Map<string, string[]>();
    for (const [slot, column] of this.#layout.columns.entries()) {
      const id = this.#slot(slot);
      if (id === ABSENT || id === EMPTY) continue;
      const items = this.#items(id).map((item) => this.values.text(item));
      const given = column.separator === undefined ? items.slice(0, 1) : items;
      const known = record.get(column.name);
      if (known === undefined) record.set(column.name, given);
      else for (const text of given) known.push(text);
    }
    const values = [...record].map(([name, texts]): [string, OutputValue] => [
      name,
      texts.length === 1 ? texts[0]! : texts,
    ]);
    return Object.fromEntries([...values, ['_offset', this.offset]]);
  }

  /** Of the bytes where they stand there as they are: hardly any time is ever the same again, so no value is made. */
  protected override timeOf(field: FieldId): number | undefined {
    const { slots } = this.#plan(field);
    const slot = slots[0]?.length === 1 ? slots[0][0]! : NOWHERE;
    const { escapes, separator } = this.#layout.columns[slot] ?? {};
    const [start, end] = [this.#starts[slot] ?? NOWHERE, this.#ends[slot] ?? NOWHERE];
    const isPlain =
      start !== NOWHERE &&
      separator === undefined &&
      end > start + 1 &&
      (escapes === undefined || findByte(this.#bytes, escapes.mark, start, end) < 0);
    return isPlain ? this.times.ofBytes(this.#bytes, start, end) : super.timeOf(field);
  }

  #take(layout: Layout): void {
    this.#layout = layout;
    this.profile = layout.profile;
    this.#known = this.#knownLayout(layout);
  }

  #knownLayout(layout: Layout): KnownLayout {
    let known = this.#knownOf.get(layout);
    if (known === undefined) {
      known = { plans: [], names: { has: (field) => layout.plan(this.name(field)).slots.length > 0 } };
      this.#knownOf.set(layout, known);
    }
    return known;
  }

  #plan(field: FieldId): Plan {
    return (this.#known.plans[field] ??= this.#layout.plan(this.name(field)));
  }

  /**
   * What keyword rules search: the whole line as written and without its percent-encoding, and values
   * that it has in another spelling only. Every keyword of every rule asks, so it is made once.
   */
  #collect(): void {
    const { values } = this;
    const searched = this.#searched;
    this.#isCollected = true;
    searched.length = 0;
    searched.push(values.once(this.#plain, this.#bytes, this.#start, this.#end - this.#start));
    if (this.profile.decoded !== undefined && this.#holds(this.#percent)) {
      const decoded = percentDecodedBytes(this.#bytes, this.#start, this.#end);
      if (decoded !== undefined) searched.push(values.once(this.#plain, decoded, 0, decoded.length));
    }
    if (!this.#layout.marks.some((mark) => this.#holds(this.#finder(mark)))) return;
    for (const [slot, column] of this.#layout.columns.entries()) {
      if (!this.#isMarked(column, this.#starts[slot]!, this.#ends[slot]!)) continue;
      for (const item of this.#items(this.#slot(slot))) if (item > EMPTY) searched.push(item);
    }
  }

  /** Whether a column's value stands there in another spelling. */
  #isMarked({ escapes, second }: Column, start: number, end: number): boolean {
    if (start === NOWHERE) return false;
    const has = (mark: number | undefined): boolean =>
      mark !== undefined && findByte(this.#bytes, mark, start, end) >= 0;
    return has(escapes?.mark) || has(second?.mark);
  }

  #holds(finder: ByteFinder): boolean {
    return finder.isIn(this.#bytes, this.#start, this.#end);
  }

  #finder(mark: number): ByteFinder {
    let finder = this.#marks.get(mark);
    if (finder === undefined) this.#marks.set(mark, (finder = new ByteFinder(mark)));
    return finder;
  }

  #items(id: ValueId): readonly ValueId[] {
    return this.values.items(id) ?? [id];
  }

  #together(slots: readonly number[]): ValueId {
    if (slots.length === 1) return this.#slot(slots[0]!);
    const ids = slots.map((slot) => this.#slot(slot)).filter((id) => id !== ABSENT);
    if (ids.length < 2) return ids[0] ?? ABSENT;
    return this.values.list(ids.flatMap((id) => this.values.items(id) ?? [id]));
  }

  #slot(slot: number): ValueId {
    const start = this.#starts[slot]!;
    if (start === NOWHERE) return ABSENT;
    const column = this.#layout.columns[slot]!;
    const end = this.#ends[slot]!;
    if (column.separator === undefined) return this.#span(column, start, end);
    const ids: ValueId[] = [];
    for (let from = start; from <= end;) {
      const found = findByte(this.#bytes, column.separator, from, end);
      const to = found < 0 ? end : found;
      ids.push(this.#span(column, from, to));
      from = to + 1;
    }
    return ids.length === 1 ? ids[0]! : this.values.list(ids);
  }

  #span({ escapes, second }: Column, start: number, end: number): ValueId {
    if (end <= start) return EMPTY;
    const bytes = this.#bytes;
    const isEscaped = escapes !== undefined && findByte(bytes, escapes.mark, start, end) >= 0;
    const kind = isEscaped ? this.values.kind(escapes.decode) : this.#plain;
    const id = this.values.internBytes(kind, bytes, start, end - start);
    if (second === undefined || findByte(bytes, second.mark, start, end) < 0) return id;
    return this.values.list([id, this.values.intern(second.text(this.values.text(id)))]);
  }
}
