import type { Decode } from '../../events/byte-interner.ts';
import type { ValueTable } from '../../events/value-table.ts';
import { EMPTY, NULL, type ValueId } from '../../events/value-id.ts';
import { decodeUtf8 } from '../../events/utf8.ts';
import { type JsonScan, type Written, written } from './json-scan.ts';
import { decodeJsonNumber, decodeJsonString } from './json-text.ts';
import type { JsonScalar } from './json-value.ts';

/** Where a reader puts values, and how it says in what way they are written. */
export class JsonValues {
  readonly values: ValueTable;
  /** Decoder numbers by the way of writing. */
  readonly kinds: readonly number[];

  constructor(values: ValueTable) {
    this.values = values;
    this.kinds = Object.values(written).map((writing) => values.kind(decoderOf(writing)));
  }
}

/** A scalar of a record; what it is differs from record to record. */
export abstract class JsonLeaf {
  /** Whether it is JSON null. */
  abstract readonly isNull: boolean;
  /** Whether it is null or the empty string. */
  abstract readonly isEmpty: boolean;
  abstract readonly isString: boolean;
  abstract readonly isBoolean: boolean;
  /** The value with its type; integers that a number does not hold exactly are text. */
  abstract value(): JsonScalar;
  abstract id(values: JsonValues): ValueId;

  /** The value as text; empty for null. */
  text(): string {
    const value = this.value();
    return value === null ? '' : String(value);
  }
}

/** A scalar where a scan has found it, in one record after another. */
export class ScannedLeaf extends JsonLeaf {
  readonly scan: JsonScan;
  /** Entry in the scan. */
  readonly at: number;
  #last: ValueId = 0;
  #generation = -1;

  constructor(scan: JsonScan, at: number) {
    super();
    this.scan = scan;
    this.at = at;
  }

  /** Where it stands in the record, and how it is written. */
  place(): { readonly start: number; readonly end: number; readonly writing: number } {
    const { starts, ends, writing } = this.scan;
    return { start: starts[this.at]!, end: ends[this.at]!, writing: writing[this.at]! };
  }

  get isNull(): boolean {
    this.scan.asked?.fillings.add(this.at);
    return this.scan.writing[this.at] === written.null;
  }

  get isEmpty(): boolean {
    this.scan.asked?.fillings.add(this.at);
    return this.scan.writing[this.at]! >= written.empty;
  }

  get isString(): boolean {
    const writing = this.#writing();
    return writing === written.plain || writing === written.escaped || writing === written.empty;
  }

  get isBoolean(): boolean {
    const writing = this.#writing();
    return writing === written.true || writing === written.false;
  }

  value(): JsonScalar {
    const { bytes, starts, ends } = this.scan;
    const start = starts[this.at]!;
    const length = ends[this.at]! - start;
    const writing = this.#writing();
    switch (writing) {
      case written.null:
        return null;
      case written.empty:
        return '';
      case written.plain:
        return decodeUtf8(bytes, start, length);
      case written.escaped:
        return decodeJsonString(bytes, start, length);
      case written.true:
        return true;
      case written.false:
        return false;
      default: {
        const text = decodeUtf8(bytes, start, length);
        const number = Number(text);
        return writing === written.number || Number.isSafeInteger(number) ? number : text;
      }
    }
  }

  id({ values, kinds }: JsonValues): ValueId {
    const { scan, at } = this;
    const writing = scan.writing[at]!;
    if (writing >= written.empty) return writing === written.null ? NULL : EMPTY;
    const start = scan.starts[at]!;
    if (values.generation !== this.#generation) {
      this.#generation = values.generation;
      this.#last = 0;
    }
    const id = values.internBytes(kinds[writing]!, scan.bytes, start, scan.ends[at]! - start, this.#last);
    if (!values.isTransient(id)) this.#last = id;
    return id;
  }

  #writing(): number {
    this.scan.asked?.values.add(this.at);
    return this.scan.writing[this.at]!;
  }
}

/** A scalar that has been read by other means. */
export class GivenLeaf extends JsonLeaf {
  readonly #value: JsonScalar;

  constructor(value: JsonScalar) {
    super();
    this.#value = value;
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  get isEmpty(): boolean {
    return this.#value === null || this.#value === '';
  }

  get isString(): boolean {
    return typeof this.#value === 'string';
  }

  get isBoolean(): boolean {
    return typeof this.#value === 'boolean';
  }

  value(): JsonScalar {
    return this.#value;
  }

  id({ values }: JsonValues): ValueId {
    return this.isNull ? NULL : values.intern(this.text());
  }
}

/** A text made of other values, never empty. */
export class MadeLeaf extends JsonLeaf {
  readonly isNull = false;
  readonly isEmpty = false;
  readonly isString = true;
  readonly isBoolean = false;
  readonly #make: () => string;

  constructor(make: () => string) {
    super();
    this.#make = make;
  }

  value(): string {
    return this.#make();
  }

  id({ values }: JsonValues): ValueId {
    return values.intern(this.#make());
  }
}

function decoderOf(writing: Written): Decode {
  if (writing === written.escaped) return decodeJsonString;
  return writing === written.number ? decodeJsonNumber : decodeUtf8;
}
