import type { Section } from '../../events/shape.ts';
import { ValueTable } from '../../events/value-table.ts';
import { EMPTY, NULL, type ValueId } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import { ShapeTree } from '../shape-tree.ts';
import { type Scalar, SlotEvent } from '../slot-event.ts';
import { EventFlattener, type FlattenedEvent, type XmlValue } from './flatten-event-xml.ts';
import { decodePlain, decodeReferences } from './xml-text.ts';
import { hasReference, type Span } from './xml-tokens.ts';

const namesBudget = 1024 * 1024;

/** The XML event just read, as rules see it; one object for all events. */
export class EventXmlEvent extends SlotEvent implements FlattenedEvent {
  readonly #flattener = new EventFlattener(this);
  readonly #shapes: ShapeTree;
  readonly #names = new ValueTable(namesBudget);
  readonly #plainName = this.#names.kind(decodePlain);
  /** By name, the one that followed it last, which is tried first. */
  readonly #following: ValueId[] = [];
  #name: ValueId = 0;
  #namesGeneration = 0;
  readonly #plain: number;
  readonly #references: number;
  #bytes: Uint8Array = new Uint8Array(0);
  /** By slot: the stretch of bytes, or -1 and the number of a text. */
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #isAttribute = new Uint8Array(64);
  #slot = 0;
  readonly #texts: string[] = [];
  #isWhole = true;

  constructor(tables: EventTables) {
    super(tables);
    this.#shapes = new ShapeTree(tables.fields);
    this.#plain = tables.values.kind(decodePlain);
    this.#references = tables.values.kind(decodeReferences);
  }

  /** Takes up the event at [start, end). */
  take(
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): 'record-malformed' | 'record-too-wide' | undefined {
    this.start(offset);
    this.#shapes.start();
    this.#beginNames();
    this.#bytes = bytes;
    this.#slot = 0;
    this.#texts.length = 0;
    this.#isWhole = true;
    if (!this.#flattener.flatten(bytes, start, end)) return 'record-malformed';
    this.show(this.#shapes.finish());
    return this.#isWhole ? undefined : 'record-too-wide';
  }

  /** Text of a name, made once for all events that have it. */
  name(start: number, end: number): string {
    const names = this.#names;
    const guess = this.#following[this.#name] ?? 0;
    const id = names.internBytes(this.#plainName, this.#bytes, start, end - start, guess);
    if (!names.isTransient(id)) {
      this.#following[this.#name] = id;
      this.#name = id;
    }
    return names.text(id);
  }

  /** Text of a name that stands in a value. */
  nameIn(span: Span): string {
    return hasReference(this.#bytes, span) ? this.text(span) : this.name(span.start, span.end);
  }

  /** Text of a stretch of the event. */
  text(span: Span): string {
    const decode = hasReference(this.#bytes, span) ? decodeReferences : decodePlain;
    return decode(this.#bytes, span.start, span.end - span.start);
  }

  /** Characters of a CDATA section. */
  literal({ start, end }: Span): string {
    return decodePlain(this.#bytes, start, end - start);
  }

  add(section: Section, name: string, value: XmlValue, path: string | undefined, isAttribute: boolean): void {
    if (this.#shapes.isFull) {
      this.#isWhole = false;
      return;
    }
    this.#shapes.add(section, name, path);
    const slot = this.#slot++;
    if (slot >= this.#starts.length) this.#grow();
    this.#isAttribute[slot] = isAttribute ? 1 : 0;
    this.#starts[slot] = typeof value === 'string' ? -1 : (value?.start ?? 0);
    this.#ends[slot] = typeof value === 'string' ? this.#texts.push(value) - 1 : (value?.end ?? 0);
  }

  #beginNames(): void {
    this.#names.nextRecord();
    this.#name = 0;
    if (this.#names.generation === this.#namesGeneration) return;
    this.#namesGeneration = this.#names.generation;
    this.#following.length = 0;
  }

  protected internSlot(slot: number): ValueId {
    const span = this.#span(slot);
    const empty = this.#isAttribute[slot] === 1 ? EMPTY : NULL;
    if (typeof span === 'string') return span === '' ? empty : this.values.intern(span);
    if (span.end === span.start) return empty;
    const kind = hasReference(this.#bytes, span) ? this.#references : this.#plain;
    return this.values.internBytes(kind, this.#bytes, span.start, span.end - span.start);
  }

  protected outputSlot(slot: number): readonly Scalar[] {
    const span = this.#span(slot);
    return [typeof span === 'string' ? span : this.text(span)];
  }

  #span(slot: number): Span | string {
    const start = this.#starts[slot]!;
    const end = this.#ends[slot]!;
    return start < 0 ? this.#texts[end]! : { start, end };
  }

  #grow(): void {
    const size = this.#starts.length * 2;
    const starts = this.#starts;
    const ends = this.#ends;
    const isAttribute = this.#isAttribute;
    this.#starts = new Int32Array(size);
    this.#ends = new Int32Array(size);
    this.#isAttribute = new Uint8Array(size);
    this.#starts.set(starts);
    this.#ends.set(ends);
    this.#isAttribute.set(isAttribute);
  }
}
