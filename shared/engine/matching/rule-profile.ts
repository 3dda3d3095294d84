import type { Condition } from './conditions.ts';

/** What holding records against one rule took; of a sample, what it would be of all records. */
export interface RuleCost {
  /** Place of the rule in its set. */
  readonly rule: number;
  /** Records that its anchors let through, so that it was evaluated. */
  readonly tries: number;
  readonly hits: number;
  readonly ms: number;
}

/** Milliseconds that one evaluation counts for at most in a sample: what takes longer is mostly the machine at other work. */
const mostMs = 0.25;

/**
 * Measures rules where they are evaluated, on one in so many records, which chance chooses, so that nothing that comes
 * round in a log is always or never among them. For one thread.
 */
export class RuleProfile {
  readonly #oneIn: number;
  readonly #mostMs: number;
  readonly #tries: Float64Array;
  readonly #hits: Float64Array;
  readonly #ms: Float64Array;
  /** Of the tries those whose time counts. */
  readonly #timed: Float64Array;
  /** Records until the next one that is measured. */
  #left: number;

  /** @param oneIn - 1 measures all records */
  constructor(rules: number, oneIn: number) {
    this.#oneIn = oneIn;
    this.#mostMs = oneIn === 1 ? Number.POSITIVE_INFINITY : mostMs;
    [this.#tries, this.#hits] = [new Float64Array(rules), new Float64Array(rules)];
    [this.#ms, this.#timed] = [new Float64Array(rules), new Float64Array(rules)];
    this.#left = this.#gap();
  }

  /** To be asked once for each record: itself where that is to be measured. */
  forRecord(): this | undefined {
    if (--this.#left > 0) return undefined;
    this.#left = this.#gap();
    return this;
  }

  /**
   * Whether the rule holds for the record at hand.
   * @param isFirst - it is tried for the first time, which makes its patterns ready and says nothing of others in a sample
   */
  measured(rule: number, holds: Condition, isFirst: boolean): boolean {
    const begun = performance.now();
    const isMet = holds();
    const ms = performance.now() - begun;
    if (!isFirst || this.#oneIn === 1) {
      this.#ms[rule]! += Math.min(this.#mostMs, ms);
      this.#timed[rule]!++;
    }
    this.#tries[rule]!++;
    if (isMet) this.#hits[rule]!++;
    return isMet;
  }

  /** Of the rules that were evaluated; what looking at the clock takes is left out. */
  costs(): RuleCost[] {
    const look = lookMs();
    return [...this.#tries].flatMap((tries, rule) => {
      const ms = Math.max(0, this.#ms[rule]! - this.#timed[rule]! * look);
      const cost = { rule, tries: tries * this.#oneIn, hits: this.#hits[rule]! * this.#oneIn, ms: ms * this.#oneIn };
      return tries === 0 ? [] : [cost];
    });
  }

  /** Each record has the same chance, whatever was before it, of small logs as well. */
  #gap(): number {
    return Math.max(1, Math.ceil(Math.log(1 - Math.random()) / Math.log(1 - 1 / this.#oneIn)));
  }
}

/** What several parts of a log took, added up. */
export function joinCosts(parts: readonly (readonly RuleCost[])[]): RuleCost[] {
  const joined = new Map<number, RuleCost>();
  for (const cost of parts.flat()) {
    const before = joined.get(cost.rule) ?? { tries: 0, hits: 0, ms: 0 };
    const { rule, tries, hits, ms } = cost;
    joined.set(rule, { rule, tries: before.tries + tries, hits: before.hits + hits, ms: before.ms + ms });
  }
  return [...joined.values()];
}

let known: number | undefined;

/** What one look at the clock takes; the least of several means, since the machine may do other work. Once in a thread. */
function lookMs(): number {
  return (known ??= Math.min(...Array.from({ length: 20 }, meanLookMs)));
}

function meanLookMs(): number {
  const looks = 500;
  let sum = 0;
  for (let at = 0; at < looks; at++) sum -= performance.now() - performance.now();
  return sum / looks;
}
