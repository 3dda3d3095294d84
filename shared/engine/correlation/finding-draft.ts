import { type Finding, mostComputers, type Sample } from '../findings.ts';
import type { Correlation } from './correlation.ts';
import type { CorrelatedMatch } from './match-collector.ts';
import { isBefore } from './reorder-buffer.ts';

/** Samples of a finding that is to have them all. */
const mostSamples = 20_000;

/** Adds up the matches that contribute to a correlation's finding. */
export class FindingDraft {
  readonly #maxSamples: number;
  readonly #mostKept: number;
  #count = 0;
  #first: CorrelatedMatch | undefined;
  #last: CorrelatedMatch | undefined;
  /** By computer, the first place in the input that it was met at. */
  readonly #computers = new Map<string, number>();
  /** In time order. */
  readonly #earliest: CorrelatedMatch[] = [];

  /**
   * @param maxSamples 0 keeps them all, as far as there is room.
   * @param events to be kept beside the samples, the earliest too.
   */
  constructor(maxSamples: number, events: number) {
    this.#maxSamples = maxSamples === 0 ? mostSamples : maxSamples;
    this.#mostKept = Math.max(this.#maxSamples, events);
  }

  add(match: CorrelatedMatch): void {
    this.#count++;
    if (this.#first === undefined || isBefore(match, this.#first)) this.#first = match;
    if (this.#last === undefined || isBefore(this.#last, match)) this.#last = match;
    this.#addComputer(match);
    this.#keep(match);
  }

  /** The matches whose samples are to be kept and are not there. */
  get lacking(): CorrelatedMatch[] {
    return this.#earliest.filter(({ sample }) => sample === null);
  }

  /** The earliest matches. */
  get kept(): readonly CorrelatedMatch[] {
    return this.#earliest;
  }

  /**
   * The finding; undefined when nothing contributes.
   * @param names of the correlation's inputs.
   * @param others samples by the place of their record.
   */
  finding(
    { id, title, level, tags, author, source }: Correlation,
    names: readonly string[],
    others: ReadonlyMap<number, Sample>,
  ): Finding | undefined {
    if (this.#first === undefined || this.#last === undefined) return undefined;
    return {
      ruleId: id,
      ruleName: title,
      severity: level,
      tags,
      author,
      count: this.#count,
      first: this.#first.timestamp,
      last: this.#last.timestamp,
      computers: [...this.#computers].sort(([, one], [, other]) => one - other).map(([name]) => name),
      samples: this.#earliest.slice(0, this.#maxSamples).flatMap(({ sample, order, input, added }) => {
        const found = sample ?? others.get(order);
        return found === undefined ? [] : { ...found, fields: { _rule: names[input]!, ...found.fields, ...added } };
      }),
      ruleSource: source,
    };
  }

  #addComputer({ computer, order }: CorrelatedMatch): void {
    if (computer === null) return;
    const known = this.#computers.get(computer);
    if (known === undefined ? this.#computers.size < mostComputers : order < known)
      this.#computers.set(computer, order);
  }

  #keep(match: CorrelatedMatch): void {
    const kept = this.#earliest;
    const full = kept.length >= this.#mostKept;
    if (full && !isBefore(match, kept.at(-1)!)) return;
    let at = kept.length;
    while (at > 0 && isBefore(match, kept[at - 1]!)) at--;
    kept.splice(at, 0, match);
    if (full) kept.pop();
  }
}
