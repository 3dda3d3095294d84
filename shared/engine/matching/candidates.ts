import type { ValueId, ValueTable } from '../events/value-table.ts';
import type { AnchorTable } from './anchor-table.ts';
import { AsciiSearch } from './ascii-search.ts';
import { LiteralIndex } from './literal-index.ts';
import { ValueMap } from './value-map.ts';

const none: readonly number[] = [];

/** Rules that a value makes worth evaluating, by one table of anchors; remembered per value. */
export class CandidateIndex {
  readonly #table: AnchorTable;
  readonly #values: ValueTable;
  readonly #literals: LiteralIndex | null;
  /** Made when a value is first met as bytes. */
  #inAscii: AsciiSearch | undefined;
  /** Literals found in the value at hand. */
  readonly #found: number[] = [];
  /** By value, one more than the place of its rules in the lists. */
  readonly #known = new ValueMap();
  readonly #lists: (readonly number[])[] = [none];
  #generation = -1;

  constructor(table: AnchorTable, values: ValueTable) {
    this.#table = table;
    this.#values = values;
    this.#literals = table.parts === null ? null : new LiteralIndex(table.parts);
  }

  /** Numbers of the rules whose anchor the value satisfies. */
  candidates(id: ValueId): readonly number[] {
    if (this.#values.isTransient(id)) return this.#look(id);
    if (this.#generation !== this.#values.generation) this.#forget();
    const known = this.#known.get(id);
    return known > 0 ? this.#lists[known - 1]! : this.#learn(id);
  }

  #forget(): void {
    this.#generation = this.#values.generation;
    this.#known.clear();
    this.#lists.length = 1;
  }

  #learn(id: ValueId): readonly number[] {
    const rules = this.#look(id);
    this.#known.add(id, rules === none ? 1 : this.#lists.push(rules));
    return rules;
  }

  #look(id: ValueId): readonly number[] {
    const inBytes = this.#lookAtBytes(id);
    if (inBytes !== undefined) return inBytes;
    const items = this.#values.items(id);
    if (items === undefined) return this.#lookAtText(this.#values.folded(id));
    const found = new Set(items.flatMap((item) => this.#lookAtText(this.#values.folded(item))));
    return found.size === 0 ? none : [...found];
  }

  /** Whole lines of a log are searched without making texts of them; undefined where it takes the text. */
  #lookAtBytes(id: ValueId): readonly number[] | undefined {
    const { parts, wholes } = this.#table;
    if (parts === null || wholes.size > 0) return undefined;
    const raw = this.#values.utf8(id);
    if (raw === undefined) return undefined;
    const { bytes, offset, byteLength } = raw;
    const found = this.#found;
    found.length = 0;
    this.#inAscii ??= new AsciiSearch(parts);
    if (!this.#inAscii.search(bytes, offset, offset + byteLength, found)) return undefined;
    return found.reduce((rules, literal) => this.#joined(rules, literal), none);
  }

  #lookAtText(text: string): readonly number[] {
    const { wholes } = this.#table;
    let rules = none;
    if (wholes.size > 0) {
      rules = wholes.get(text) ?? none;
      if (/^0x[0-9a-f]{1,16}$/.test(text)) rules = [...rules, ...(wholes.get(BigInt(text).toString()) ?? none)];
    }
    this.#literals?.search(text, (literal) => {
      rules = this.#joined(rules, literal);
      return false;
    });
    return rules;
  }

  /** Rules with those of one more literal, each once. */
  #joined(rules: readonly number[], literal: number): readonly number[] {
    const { partRules, partStarts } = this.#table;
    const more = partRules.subarray(partStarts[literal], partStarts[literal + 1]);
    return rules.length === 0 ? [...more] : [...new Set([...rules, ...more])];
  }
}
