import type { ByteSpan } from '../events/byte-span.ts';
import { routeFields } from '../events/route.ts';
import { type AnchorTable, partsOf } from './anchor-table.ts';
import { AsciiSearch } from './ascii-search.ts';
import { fileLiterals } from './literal-tables.ts';

/** Shorter literals stand in too many records. */
const shortestLiteral = 3;

/** Tells by the bytes in which all texts of a record stand that none of some rules can hold for it. */
export class Screen {
  readonly #search: AsciiSearch;
  readonly #found: number[] = [];

  constructor(literals: readonly string[]) {
    this.#search = new AsciiSearch(fileLiterals(literals));
  }

  rulesOut({ bytes, start, end }: ByteSpan): boolean {
    this.#found.length = 0;
    return this.#search.search(bytes, start, end, this.#found) && this.#found.length === 0;
  }
}

/** The screen for rules that are found by these tables alone; null where their literals do not tell enough. */
export function screenFor(tables: readonly AnchorTable[]): Screen | null {
  const literals = new Set(tables.flatMap((table) => [...table.wholes.keys(), ...partsOf(table)]));
  const isOfRoute = tables.some(({ field }) => field !== null && routeFields.has(field.toLowerCase()));
  return isOfRoute || ![...literals].every(isTelling) ? null : new Screen([...literals]);
}

/** A number may stand there in hexadecimal. */
function isTelling(literal: string): boolean {
  return literal.length >= shortestLiteral && !/^\d+$/.test(literal);
}
