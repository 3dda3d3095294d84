import type { SourceFacts } from '../../events/route.ts';
import type { InputSource } from '../../sigma/input-sources.ts';

/** Text of a record's own field; undefined where it has none. */
export type TextOf = (name: string) => string | undefined;

/** Texts of all values of a field; none where the record has none. */
export type TextsOf = (name: string) => readonly string[];

/** Makes the text of a field that a record has only by way of others. */
export type Derive = (text: TextOf, texts: TextsOf) => string | undefined;

/** What one kind of record is to rules and reports. Keys of tables are rule names in lower case. */
export interface Profile {
  readonly source: InputSource;
  /** What the records satisfy, where that is more than their source tells. */
  readonly facts?: readonly SourceFacts[];
  /** Further names under which the record has a rule's field, tried in order. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly derived?: Readonly<Record<string, Derive>>;
  /** Fields, as rules spell them, that are derived even where the record has one of that name in any case. */
  readonly rewritten?: ReadonlySet<string>;
  /** Fields that are matched as written and, as a second value, percent-decoded (1.2.4 T-web). */
  readonly decoded?: ReadonlySet<string>;
  readonly head: HeadNames;
}

/** Names, tried in order, of what every report says of a record. */
export interface HeadNames {
  readonly time: readonly string[];
  readonly computer: readonly string[];
  /** Said where the record has no name of its own for it. */
  readonly service?: string;
  readonly channel?: readonly string[];
  readonly event?: readonly string[];
  readonly record?: readonly string[];
}
