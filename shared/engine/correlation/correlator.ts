import type { DeriveOptions } from '../derived/deriver.ts';
import { MatchPlot, type Plotted } from '../derived/match-plot.ts';
import type { Finding, Sample } from '../findings.ts';
import type { ReadProblem } from '../readers/reader.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Correlation } from './correlation.ts';
import { FindingDraft } from './finding-draft.ts';
import { type Linked, LinkedThings } from './linked.ts';
import { type CorrelatedMatch, keyOf, textsOf } from './match-collector.ts';
import { numberIn } from './measures.ts';
import { isBefore, ReorderBuffer } from './reorder-buffer.ts';
import { type Windows, windowsFor } from './windows.ts';

/** Matches held at a time, of all correlations: those that wait for earlier ones, and those of open windows. */
const room = 1_000_000;
/** Events of a correlation that are given for what is kept beside its finding. */
const mostEvents = 5000;
/** Matches between two looks for groups whose windows have passed. */
const sweepEvery = 65_536;
const sweepWhenFull = 4096;

const numericTypes = new Set(['value_sum', 'value_avg', 'value_median', 'value_percentile']);

/** A correlation, its groups and what it has found so far. */
interface State {
  readonly correlation: Correlation;
  readonly place: number;
  readonly groups: Map<string, Windows<CorrelatedMatch>>;
  readonly draft: FindingDraft;
  readonly wantsNumbers: boolean;
  /** Matches of a correlation that refers to others: these fire late, so it is evaluated at the end. */
  readonly waiting: CorrelatedMatch[] | null;
}

/** As those of the rules that it correlates. */
export interface CorrelatorOptions {
  /** Per finding; 0 keeps them all, as far as there is room. */
  readonly maxSamples: number;
  readonly derive?: Pick<DeriveOptions, 'groups'>;
  readonly raw?: unknown;
}

/** An event in the finding of a correlation, and of no rule. */
export interface CorrelatedEvent {
  /** Place of the first such correlation in its set. */
  readonly correlation: number;
  /** Place of the record in the input. */
  readonly order: number;
  readonly sample: Sample;
}

/**
 * Evaluates correlations while the input is read (detection-engine 1.6): matches are put in order of time
 * within a bounded buffer and dropped when their windows have passed.
 */
export class Correlator {
  readonly #rules: RuleSet['rules'];
  readonly #states: readonly State[];
  readonly #silent: ReadonlySet<number>;
  readonly #room: number;
  readonly #plot: MatchPlot | null;
  readonly #buffer = new ReorderBuffer();
  readonly #linked = new LinkedThings();
  /** Time of the latest match that went into a window. */
  #passed = Number.NEGATIVE_INFINITY;
  /** Matches in windows, and those that wait for the end. */
  #held = 0;
  #sinceSweep = 0;
  #late = 0;
  #dropped = 0;
  #ungrouped = 0;
  #supplied: ReadonlyMap<number, Sample> = new Map();

  constructor({ rules, correlations, silent }: RuleSet, { maxSamples, derive, raw }: CorrelatorOptions, most = room) {
    this.#rules = rules;
    this.#silent = new Set(silent.correlations);
    this.#room = most;
    this.#plot = derive ? new MatchPlot(derive.groups) : null;
    const events = derive || raw ? mostEvents : 0;
    this.#states = correlations.map((correlation, place) => ({
      correlation,
      place,
      groups: new Map<string, Windows<CorrelatedMatch>>(),
      draft: new FindingDraft(maxSamples, events),
      wantsNumbers: numericTypes.has(correlation.type) && !isShare(correlation),
      waiting: correlation.inputs.some(({ kind }) => kind === 'correlation') ? [] : null,
    }));
  }

  /** Takes matches; these and those of all calls are in the order of the input. */
  readonly add = (matches: readonly CorrelatedMatch[]): void => {
    for (const match of matches) this.#take(match);
  };

  /** Nothing comes any more: gives the matches of records of which samples are wanted and were not kept, one of each. */
  end(): readonly CorrelatedMatch[] {
    for (let match = this.#buffer.pop(); match !== undefined; match = this.#buffer.pop()) this.#release(match);
    // Inner ones stand before those that refer to them.
    for (const state of this.#states) {
      const waiting = state.waiting?.splice(0) ?? [];
      waiting.sort((one, other) => (isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0));
      for (const match of waiting) {
        this.#held--;
        this.#window(state, match);
      }
      for (const windows of state.groups.values()) windows.end();
      state.groups.clear();
    }
    const lacking = new Map(this.#heard.flatMap(({ draft }) => draft.lacking.map((match) => [match.order, match])));
    return [...lacking.values()].sort((one, other) => one.order - other.order);
  }

  /** Takes samples that were wanted, by the place of their record. */
  supply(samples: ReadonlyMap<number, Sample>): void {
    this.#supplied = samples;
  }

  /** The findings of all correlations; nothing may be added any more. */
  findings(): Finding[] {
    this.end();
    return this.#heard.flatMap(
      ({ correlation, draft }) => draft.finding(correlation, this.#namesOf(correlation), this.#supplied) ?? [],
    );
  }

  /** When the matches of all findings were, correlations placed behind the rules; to be asked for after the findings. */
  plotted(): Plotted | undefined {
    return this.#plot?.result();
  }

  /** What the events of all findings name; to be asked for after the findings. */
  linked(): Linked[] {
    return this.#linked.linked();
  }

  /** The earliest events of the findings, each once, but those in findings of rules; in the order of the input, as above. */
  events(): CorrelatedEvent[] {
    const events = new Map<number, CorrelatedEvent>();
    for (const { place, draft } of this.#heard) {
      for (const { order, isReported, sample } of draft.kept) {
        const found = sample ?? this.#supplied.get(order);
        if (found === undefined || isReported || events.has(order)) continue;
        events.set(order, { correlation: place, order, sample: found });
      }
    }
    return [...events.values()].sort((one, other) => one.order - other.order);
  }

  /** What was not correlated; to be asked for after the findings. */
  problems(ungrouped: number): ReadProblem[] {
    return [
      problem('correlation-late', 'Matches that came too late, by their time, were not correlated.', this.#late),
      problem('correlation-full', 'The oldest matches of long windows were not correlated.', this.#dropped),
      problem(
        'correlation-ungrouped',
        'Matches without a time or a group-by field were not correlated.',
        ungrouped + this.#ungrouped,
      ),
    ].filter(({ count }) => count > 0);
  }

  get #heard(): readonly State[] {
    return this.#states.filter(({ place }) => !this.#silent.has(place));
  }

  /** What its inputs are called in samples. */
  #namesOf({ inputs }: Correlation): string[] {
    return inputs.map(({ kind, place }) => {
      const { id, title } = kind === 'rule' ? this.#rules[place]! : this.#states[place]!.correlation;
      return id ?? title;
    });
  }

  #take(match: CorrelatedMatch): void {
    const state = this.#states[match.correlation]!;
    if (state.wantsNumbers && Number.isNaN(numberIn(match.value))) return;
    while (this.#buffer.size > 0 && this.#buffer.size + this.#held >= this.#room) this.#release(this.#buffer.pop()!);
    if (state.waiting !== null) this.#wait(state.waiting, match);
    else if (match.time < this.#passed) this.#late++;
    else this.#buffer.push(match);
  }

  #wait(waiting: CorrelatedMatch[], match: CorrelatedMatch): void {
    if (this.#held >= this.#room) {
      this.#dropped++;
      return;
    }
    waiting.push(match);
    this.#held++;
  }

  #release(match: CorrelatedMatch): void {
    this.#passed = match.time;
    const isFull = this.#held >= this.#room;
    if (++this.#sinceSweep >= (isFull ? sweepWhenFull : sweepEvery)) this.#sweep();
    this.#window(this.#states[match.correlation]!, match);
  }

  #window(state: State, match: CorrelatedMatch): void {
    let windows = state.groups.get(match.key);
    if (windows === undefined) {
      windows = windowsFor(state.correlation, {
        contributes: (contributing) => this.#count(state, contributing),
        fires: (at, count) => this.#chain(state, at, count),
      });
      state.groups.set(match.key, windows);
    }
    const before = windows.size;
    windows.add(match);
    this.#held += windows.size - before;
    if (this.#held <= this.#room || windows.size === 0) return;
    windows.forget();
    this.#held--;
    this.#dropped++;
    if (windows.size > 0) return;
    windows.end();
    state.groups.delete(match.key);
  }

  #count({ draft, place }: State, match: CorrelatedMatch): void {
    draft.add(match);
    if (this.#silent.has(place)) return;
    this.#plot?.add(this.#rules.length + place, match.timestamp, match.computer);
    if (match.named !== null) this.#linked.add(this.#rules.length + place, match.named);
  }

  /** Ends the groups whose windows have passed. */
  #sweep(): void {
    this.#sinceSweep = 0;
    for (const { correlation, groups } of this.#states) {
      const over = this.#passed - correlation.timespan * 1000;
      for (const [key, windows] of groups) {
        if (windows.last >= over) continue;
        this.#held -= windows.size;
        windows.end();
        groups.delete(key);
      }
    }
  }

  /** A firing is an event for the correlations that refer to this one: its group's values, and `count`. */
  #chain({ correlation: inner, place }: State, at: CorrelatedMatch, count: number): void {
    const group = textsOf(at.key);
    const texts = new Map(inner.groupBy.map((name, part) => [name, group[part]!]));
    texts.set('count', String(count));
    for (const { correlation: outer, place: number, waiting, wantsNumbers } of this.#states) {
      for (const [input, { kind, place: fed, groupBy, fields }] of outer.inputs.entries()) {
        if (kind !== 'correlation' || fed !== place || waiting === null) continue;
        const key = joined(texts, groupBy);
        const value = fields.length === 0 ? null : joined(texts, fields);
        if (key === null) this.#ungrouped++;
        else if (fields.length > 0 && (value === null || (wantsNumbers && Number.isNaN(numberIn(value))))) continue;
        else this.#wait(waiting, { ...at, correlation: number, key, input, value, added: { count } });
      }
    }
  }
}

function problem(code: string, message: string, count: number): ReadProblem {
  return { code, message, offset: 0, count };
}

function joined(texts: ReadonlyMap<string, string>, names: readonly string[]): string | null {
  const parts = names.map((name) => texts.get(name));
  return parts.includes(undefined) ? null : keyOf(parts as string[]);
}

function isShare({ type, percentile }: Correlation): boolean {
  return type === 'value_percentile' && percentile === null;
}
