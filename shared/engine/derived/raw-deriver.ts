import type { EventHead, OutputRecord } from '../events/log-event.ts';
import type { RawMatch } from '../matching/raw-matches.ts';
import { type DerivedReport, Deriver, type DeriveOptions, joinDerived } from './deriver.ts';
import type { Plotted } from './match-plot.ts';

interface RawEvent {
  readonly head: EventHead;
  readonly record: OutputRecord;
  readonly rules: number[];
  readonly isCorrelated: boolean;
}

/** Derives from raw output what the pass over the log derived, by the options of now; takes its lines in their order. */
export class RawDeriver {
  readonly #options: DeriveOptions;
  readonly #deriver: Deriver;
  readonly #placeOf: (rule: RawMatch['rule']) => number | undefined;
  #event: RawEvent | null = null;
  #order = 0;

  /** @param placeOf place of a rule among the groups of the options; a match of one that has none is passed over. */
  constructor(options: DeriveOptions, placeOf: (rule: RawMatch['rule']) => number | undefined) {
    this.#options = options;
    this.#deriver = new Deriver(options);
    this.#placeOf = placeOf;
  }

  add(match: RawMatch): void {
    if (match.nth === 1) {
      this.#take();
      const { channel, computer, correlated, event_id: eventId, record, record_id: recordId, ts: timestamp } = match;
      const head = { channel, computer, eventId, recordId, timestamp };
      this.#event = { head, record, rules: [], isCorrelated: correlated === true };
    }
    if (match.correlated) return;
    const place = this.#placeOf(match.rule);
    if (place !== undefined) this.#event?.rules.push(place);
  }

  /** @param correlated the matches of correlations, of which there are not lines for all. */
  result(correlated?: Plotted): DerivedReport {
    this.#take();
    return joinDerived(this.#options, [this.#deriver.result()], correlated);
  }

  #take(): void {
    if (this.#event === null) return;
    const { head, record, rules, isCorrelated } = this.#event;
    this.#event = null;
    if (rules.length > 0 || isCorrelated) this.#deriver.add(head, record, rules, ++this.#order);
  }
}
