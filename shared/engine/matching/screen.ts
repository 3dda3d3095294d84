import type { EventTexts } from '../events/log-event.ts';
import { routeFields } from '../events/route.ts';
import type { ValueTable } from '../events/value-table.ts';
import type { ValueId } from '../events/value-id.ts';
import { type AnchorTable, fileTexts, partsOf } from './anchor-table.ts';
import { CandidateIndex } from './candidates.ts';

/** Shorter literals stand in too many texts, and the texts of events need not hold shorter values. */
const shortestLiteral = 3;
/** A screen that lets more than one event in so many through costs more than it spares. */
const mostThrough = 8;
const mostCredit = 256;

/** Tells by the texts in which all values of an event stand that none of some rules can hold for it. */
export class Screen {
  readonly #index: CandidateIndex;
  readonly #isCandidate = (text: ValueId): boolean => this.#index.candidates(text).length > 0;
  #texts: EventTexts | undefined;
  #turn = 0;
  #rulesOut = false;
  #credit = mostCredit;

  constructor(literals: Iterable<string>, values: ValueTable) {
    this.#index = new CandidateIndex(fileTexts(literals), values);
  }

  /** Whether it has ruled out too little. */
  get isSpent(): boolean {
    return this.#credit < 0;
  }

  rulesOut(texts: EventTexts): boolean {
    if (texts === this.#texts && texts.turn === this.#turn) return this.#rulesOut;
    this.#texts = texts;
    this.#turn = texts.turn;
    this.#rulesOut = !texts.some(this.#isCandidate);
    this.#credit = this.#rulesOut ? Math.min(this.#credit + 1, mostCredit) : this.#credit - mostThrough;
    return this.#rulesOut;
  }
}

/** The screen for rules that are found by these tables alone; null where their literals do not tell enough. */
export function screenFor(tables: readonly AnchorTable[], values: ValueTable): Screen | null {
  const literals = new Set(tables.flatMap((table) => [...table.wholes.keys(), ...partsOf(table)]));
  const isOfRoute = tables.some(({ field }) => field !== null && routeFields.has(field.toLowerCase()));
  return isOfRoute || ![...literals].every(isTelling) ? null : new Screen(literals, values);
}

/** A number may stand there in hexadecimal. */
function isTelling(literal: string): boolean {
  return literal.length >= shortestLiteral && !/^\d+$/.test(literal);
}
