import type { CorrelatedMatch, MatchSink } from './match-collector.ts';

/** Takes the matches of several parts of a log as they come and gives them on in the order of the parts. */
export class PartOrder {
  readonly #give: MatchSink;
  /** What later parts have brought, and whether that is all. */
  readonly #waiting = new Map<number, { readonly matches: (readonly CorrelatedMatch[])[]; isWhole: boolean }>();
  #next = 0;

  constructor(give: MatchSink) {
    this.#give = give;
  }

  readonly take = (part: number, matches: readonly CorrelatedMatch[], isLast: boolean): void => {
    if (part === this.#next) {
      this.#give(matches);
      if (isLast) this.#goOn();
      return;
    }
    let waiting = this.#waiting.get(part);
    if (waiting === undefined) this.#waiting.set(part, (waiting = { matches: [], isWhole: false }));
    waiting.matches.push(matches);
    waiting.isWhole = isLast;
  };

  #goOn(): void {
    for (;;) {
      const waiting = this.#waiting.get(++this.#next);
      if (waiting === undefined) return;
      this.#waiting.delete(this.#next);
      for (const matches of waiting.matches) this.#give(matches);
      if (!waiting.isWhole) return;
    }
  }
}
