import type { Decode } from '../../events/byte-interner.ts';
import type { Profile } from '../named/profile.ts';

/** One place for a value in the records of a layout. */
export interface Column {
  readonly name: string;
  /** Makes the value's text of its bytes, where they hold `mark`; else it is plain UTF-8. */
  readonly escapes?: { readonly mark: number; readonly decode: Decode };
  /** Byte that separates several values. */
  readonly separator?: number;
  /** What a value that holds `mark` also stands for, as a second value of the same field. */
  readonly second?: { readonly mark: number; readonly text: (text: string) => string };
}

/** How a field is found in the records of a layout. */
export interface Plan {
  readonly key: string;
  /** Columns of the rule's own name, then those of each alias. */
  readonly slots: readonly (readonly number[])[];
  /** Text that all records of the layout have under the name. */
  readonly constant: string | undefined;
  readonly decodes: boolean;
}

/** Names of the columns of records, as a header or a format gives them, and what those records are. */
export class Layout {
  readonly columns: readonly Column[];
  readonly profile: Profile;
  /** Bytes without which a record's values are all as they stand there. */
  readonly marks: readonly number[];
  readonly #constants: ReadonlyMap<string, string>;

  /** @param constants texts by name in lower case. */
  constructor(columns: readonly Column[], profile: Profile, constants: ReadonlyMap<string, string> = new Map()) {
    this.columns = columns;
    this.profile = profile;
    this.marks = [
      ...new Set(columns.flatMap(({ escapes, second }) => [escapes, second].flatMap((one) => one?.mark ?? []))),
    ];
    this.#constants = constants;
  }

  /** How a rule's field is found; worth keeping. */
  plan(name: string): Plan {
    const key = name.toLowerCase();
    const { aliases, decoded } = this.profile;
    const others = aliases !== undefined && Object.hasOwn(aliases, key) ? aliases[key]! : [];
    return {
      key,
      slots: [name, ...others].map((one) => this.#slots(one)).filter((slots) => slots.length > 0),
      constant: this.#constants.get(key),
      decodes: decoded?.has(key) ?? false,
    };
  }

  #slots(name: string): readonly number[] {
    const lower = name.toLowerCase();
    const slots = (matches: (column: Column) => boolean): number[] =>
      this.columns.flatMap((column, slot) => (matches(column) ? [slot] : []));
    const exact = slots((column) => column.name === name);
    return exact.length > 0 ? exact : slots((column) => column.name.toLowerCase() === lower);
  }
}
