import type { Condition } from './conditions.ts';

/** What holding events against one rule took. */
export interface RuleCost {
  /** Events that its anchors let through, so that it was evaluated. */
  readonly tries: number;
  readonly hits: number;
  readonly ms: number;
}

/**
 * Measures rules where they are evaluated: it is asked for when a rule is compiled for some records, so that an analysis
 * without one does nothing more than before. For one thread.
 */
export class RuleProfile {
  readonly #now: () => number;
  readonly #tries: number[];
  readonly #hits: number[];
  readonly #ms: number[];

  /** @param now - a clock in milliseconds, the finer the better */
  constructor(rules: number, now: () => number) {
    this.#now = now;
    [this.#tries, this.#hits, this.#ms] = [counters(rules), counters(rules), counters(rules)];
  }

  measured(rule: number, holds: Condition): Condition {
    return () => {
      const begun = this.#now();
      const isMet = holds();
      this.#ms[rule]! += this.#now() - begun;
      this.#tries[rule]!++;
      if (isMet) this.#hits[rule]!++;
      return isMet;
    };
  }

  /** By the place of the rule; what looking at the clock takes is left out. */
  costs(): RuleCost[] {
    const look = this.#lookMs();
    return this.#tries.map((tries, rule) => {
      return { tries, hits: this.#hits[rule]!, ms: Math.max(0, this.#ms[rule]! - tries * look) };
    });
  }

  #lookMs(): number {
    const looks = 10_000;
    let sum = 0;
    for (let at = 0; at < looks; at++) sum -= this.#now() - this.#now();
    return sum / looks;
  }
}

function counters(rules: number): number[] {
  return Array.from({ length: rules }, () => 0);
}
