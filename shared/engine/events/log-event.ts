import type { ToldRule } from '../external/told-rule.ts';
import type { FieldId } from './field-table.ts';
import type { Route } from './route.ts';
import type { EventNames, SlotName } from './shape.ts';
import type { ValueTable } from './value-table.ts';
import type { ValueId } from './value-id.ts';

/** A value in output: numbers and booleans where the source type is one, arrays for repeated names. */
export type OutputValue = string | number | boolean | readonly (string | number | boolean)[];

/** Flat form of a matched record (detection-engine 5.1): empty and absent values left out. */
export type OutputRecord = Record<string, OutputValue>;

/** Bytes of a log from one offset on and before another. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Where a record stands in a log of which it can be read again without all before it. */
export interface RecordPlace {
  readonly offset: number;
  readonly range: ByteRange;
}

/** What every report says of a matched record. */
export interface EventHead {
  /** Record number in its log, as text because it has 64 bits; null where the format has none. */
  readonly recordId: string | null;
  /** UTC, ISO 8601 with the source's precision; null when the record has no readable time. */
  readonly timestamp: string | null;
  readonly computer: string | null;
  readonly channel: string | null;
  readonly eventId: string | null;
}

/**
 * Texts in which all values of some records stand as they are that have three characters or more, but for those
 * that their routes decide. By them rules are ruled out for all of those records before any value is asked for.
 */
export interface EventTexts {
  /** Another one for other texts. */
  readonly turn: number;
  /** Whether `visit` says so of any text. */
  some(visit: (value: ValueId) => boolean): boolean;
}

/**
 * One record as the rules see it. Readers reuse the object: it is valid only while `visit` runs, and
 * nothing in it is decoded before it is asked for. Names are never seen here, only field numbers.
 */
export interface LogEvent {
  readonly values: ValueTable;
  /** Where the record comes from; the same object for all records that the same rules apply to. */
  readonly route: Route;
  /** Byte offset of the record in the (uncompressed) input. */
  readonly offset: number;
  /** A range that can be read alone, in which the record is the only one at its offset; undefined where there is none so small. */
  readonly range?: ByteRange;
  /** Value of a field (detection-engine 1.2.3 steps 1–3), ABSENT when the record has none. */
  value(field: FieldId): ValueId;
  /** Undefined where a value may be made of several texts, or nobody has looked whether it is. */
  readonly texts?: EventTexts | undefined;
  /** The texts that keyword rules search (1.3.5), one after another; stops when `visit` returns true. */
  keywords(visit: (value: ValueId) => boolean): boolean;
  /** Milliseconds since 1970 of the head's time, NaN where it has none; and the head's computer, whose text may be empty. */
  time(): number;
  computer(): ValueId;
  /** The same object for records with the same names; undefined where they are known only once a record is taken apart. */
  readonly names?: EventNames | undefined;
  /** The rule that the log itself says the record matches: then no other is tried on it. */
  readonly told?: ToldRule;
  /** Set where it is no record of its own but what several records say together. */
  readonly isCombined?: true;
  /**
   * Names of the values that `toRecord` has, in its order: the same list for all records that have the same ones, so
   * that what is made of it is made once. Undefined where nobody keeps such lists.
   */
  readonly slotNames?: readonly SlotName[] | undefined;
  /** Value at a place of `slotNames`, as the record has it. */
  at?(place: number): ValueId;
  head(): EventHead;
  /** The record as a flat object; made only for matches and dumps. */
  toRecord(): OutputRecord;
}
