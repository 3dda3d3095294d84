import type { RawValue } from '../events/byte-interner.ts';
import { isAscii, type ValueTable } from '../events/value-table.ts';
import type { ValueId } from '../events/value-id.ts';
import type { AnchorTable } from './anchor-table.ts';
import { AsciiSearch } from './ascii-search.ts';
import { LiteralIndex } from './literal-index.ts';
import { ValueMap } from './value-map.ts';

const none: readonly number[] = [];
/** Of more literals the filing for a search of bytes takes longer than it spares. */
const mostInBytes = 2048;

/** Rules that a value makes worth evaluating, by one table of anchors; remembered per value. */
export class CandidateIndex {
  readonly #table: AnchorTable;
  readonly #values: ValueTable;
  readonly #literals: LiteralIndex | null;
  /** Made when a value is first met as bytes. */
  #inAscii: AsciiSearch | undefined;
  /** Lengths of the values that are looked for as a whole. */
  #lengths: Set<number> | undefined;
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
    if (items === undefined) return this.#lookAtText(this.#values.foldedInPassing(id));
    const found = new Set(items.flatMap((item) => this.#lookAtText(this.#values.foldedInPassing(item))));
    return found.size === 0 ? none : [...found];
  }

  /** Bytes are searched without making texts of them; undefined where it takes the text. */
  #lookAtBytes(id: ValueId): readonly number[] | undefined {
    const { parts, wholes, field } = this.#table;
    if (parts === null || parts.next.length > mostInBytes) return undefined;
    // Of what only keywords are looked for in, hardly any text is ever needed.
    const raw = this.#values.utf8(id) ?? (field === null ? this.#values.inUtf8(id) : undefined);
    if (raw === undefined || this.#mayBeWhole(raw)) return undefined;
    const { bytes, offset, byteLength } = raw;
    const found = this.#found;
    if (found.length > 0) found.length = 0;
    this.#inAscii ??= new AsciiSearch(parts, ![...wholes.keys()].every(isAscii));
    if (!this.#inAscii.search(bytes, offset, offset + byteLength, found)) return undefined;
    return found.length === 0 ? none : found.reduce((rules, literal) => this.#joined(rules, literal), none);
  }

  /** Whether the value may equal one that is looked for, be it as a hexadecimal number. */
  #mayBeWhole({ bytes, offset, byteLength }: RawValue): boolean {
    const { wholes } = this.#table;
    if (wholes.size === 0) return false;
    this.#lengths ??= new Set([...wholes.keys()].map((whole) => whole.length));
    return this.#lengths.has(byteLength) || (bytes[offset] === 0x30 && (bytes[offset + 1]! | 0x20) === 0x78);
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
