import type { EventTexts, LogEvent } from '../events/log-event.ts';
import type { ValueTable } from '../events/value-table.ts';
import { ABSENT } from '../events/value-id.ts';
import type { SourceRow } from '../sigma/source-row.ts';
import type { Anchors, AnchorTable } from './anchor-table.ts';
import { type Columns, KEYWORDS } from './bound.ts';
import type { CandidateIndex } from './candidates.ts';
import type { Condition } from './conditions.ts';
import type { RuleProfile } from './rule-profile.ts';
import { type Screen, screenFor } from './screen.ts';

/** Which rules the present event has been held against; one for all trials of a run. */
export class Turns {
  readonly #seen: Int32Array;
  #turn = 0;
  /** Measures what rules take for the present event. */
  profile: RuleProfile | undefined;

  constructor(rules: number) {
    this.#seen = new Int32Array(rules);
  }

  next(profile: RuleProfile | undefined): void {
    this.#turn++;
    this.profile = profile;
  }

  /** Whether it is the rule's first time in this turn. */
  take(rule: number): boolean {
    if (this.#seen[rule] === this.#turn) return false;
    this.#seen[rule] = this.#turn;
    return true;
  }
}

interface Probe {
  readonly column: number;
  readonly index: CandidateIndex;
}

/**
 * Rules with what tells whether they are worth evaluating for an event: it is asked for the few values
 * that anchors look at, and a rule is compiled when such a value first names it, as most never do.
 */
export class Trials {
  readonly #columns: Columns;
  readonly #turns: Turns;
  readonly #compile: (rule: number) => Condition;
  readonly #always: number[] = [];
  readonly #tables: AnchorTable[] = [];
  readonly #probes: Probe[] = [];
  /** Null where it would not tell enough. */
  #screen: Screen | null | undefined;
  readonly #conditions = new Map<number, Condition>();

  constructor(columns: Columns, turns: Turns, compile: (rule: number) => Condition) {
    this.#columns = columns;
    this.#turns = turns;
    this.#compile = compile;
  }

  /** Adds rules that see the events through these rows. */
  add({ tables, always }: Anchors, indexes: readonly CandidateIndex[], rows: readonly SourceRow[]): void {
    this.#always.push(...always);
    this.#tables.push(...tables);
    for (const [at, { field }] of tables.entries()) {
      const index = indexes[at]!;
      const columns = field === null ? [KEYWORDS] : rows.map(({ mapping }) => this.#columns.of(field, mapping));
      for (const column of new Set(columns)) this.#probes.push({ column, index });
    }
  }

  /** Whether no rule can ever apply. */
  get isEmpty(): boolean {
    return this.#always.length === 0 && this.#probes.length === 0;
  }

  /** Calls `matched` with the number of each rule that holds for the event that the columns hold. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    const { texts } = event;
    if (texts !== undefined && this.#isRuledOut(texts, event.values)) return;
    for (const rule of this.#always) this.#try(rule, matched);
    // Not by iterators, which every event would pay for while this is not yet optimized.
    const probes = this.#probes;
    for (let at = 0; at < probes.length; at++) {
      const { column, index } = probes[at]!;
      if (column === KEYWORDS) {
        this.#search(event, index, matched);
        continue;
      }
      const value = this.#columns.value(column);
      if (value === ABSENT) continue;
      const rules = index.candidates(value);
      for (let each = 0; each < rules.length; each++) this.#try(rules[each]!, matched);
    }
  }

  #isRuledOut(texts: EventTexts, values: ValueTable): boolean {
    if (this.#screen === undefined) this.#screen = this.#always.length > 0 ? null : screenFor(this.#tables, values);
    if (this.#screen?.isSpent) this.#screen = null;
    return this.#screen?.rulesOut(texts) ?? false;
  }

  #search(event: LogEvent, index: CandidateIndex, matched: (rule: number) => void): void {
    event.keywords((value) => {
      for (const rule of index.candidates(value)) this.#try(rule, matched);
      return false;
    });
  }

  #try(rule: number, matched: (rule: number) => void): void {
    if (!this.#turns.take(rule)) return;
    const known = this.#conditions.get(rule);
    const holds = known ?? this.#compile(rule);
    if (known === undefined) this.#conditions.set(rule, holds);
    const { profile } = this.#turns;
    if (profile === undefined ? holds() : profile.measured(rule, holds, known === undefined)) matched(rule);
  }
}
