import { parseCondition } from '../sigma/condition.ts';
import type { Expression } from '../sigma/expression.ts';
import type { Bound, Correlation } from './correlation.ts';

/** One match that a correlation sees. */
export interface Reference {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Place in the input; decides ties. */
  readonly order: number;
  /** Index into the correlation's `rules`. */
  readonly rule: number;
  /** Values of the condition's fields, folded; null when the event lacks one. */
  readonly value: string | null;
}

/** Windows that fire, as [first, last] places among the group's references. */
export interface Firing {
  readonly from: number;
  readonly to: number;
  /** The reference that first fulfilled the condition. */
  readonly at: number;
}

/** The references of a window, and how often each value and each rule stands among them. */
interface Window {
  readonly all: readonly Reference[];
  from: number;
  to: number;
  readonly values: Map<string, number>;
  readonly rules: Map<number, number>;
}

/** Whether a window fulfils the condition. */
type Holds = (window: Window) => boolean;

/**
 * Finds the firings of one group (detection-engine 1.6). Rising conditions slide: a burst lasts while
 * consecutive windows hold and overlap. All others take windows one after another.
 */
export function findFirings(correlation: Correlation, references: readonly Reference[]): Firing[] {
  const holds = holdsFor(correlation);
  const span = correlation.timespan * 1000;
  return isRising(correlation) ? bursts(references, span, holds) : consecutive(references, span, holds);
}

function isRising({ type, bounds }: Correlation): boolean {
  return type.startsWith('temporal') || bounds.every(({ op }) => op === 'gt' || op === 'gte');
}

function bursts(references: readonly Reference[], span: number, holds: Holds): Firing[] {
  const found: Firing[] = [];
  const window = emptyWindow(references, 0);
  let burst = null as Firing | null;
  for (const [to, { time }] of references.entries()) {
    enter(window, to);
    while (references[window.from]!.time < time - span) leave(window);
    const held = holds(window);
    if (burst !== null && (!held || window.from > burst.to)) {
      found.push(burst);
      burst = null;
    }
    if (held) burst = { from: burst?.from ?? window.from, to, at: burst?.at ?? to };
  }
  if (burst !== null) found.push(burst);
  return found;
}

function consecutive(references: readonly Reference[], span: number, holds: Holds): Firing[] {
  const found: Firing[] = [];
  for (let from = 0; from < references.length;) {
    const window = emptyWindow(references, from);
    let to = from;
    enter(window, to);
    while (to + 1 < references.length && references[to + 1]!.time <= references[from]!.time + span) enter(window, ++to);
    if (holds(window)) found.push({ from, to, at: to });
    from = to + 1;
  }
  return found;
}

function emptyWindow(all: readonly Reference[], from: number): Window {
  return { all, from, to: from - 1, values: new Map(), rules: new Map() };
}

function enter(window: Window, to: number): void {
  const { value, rule } = window.all[to]!;
  window.to = to;
  if (value !== null) window.values.set(value, (window.values.get(value) ?? 0) + 1);
  window.rules.set(rule, (window.rules.get(rule) ?? 0) + 1);
}

function leave(window: Window): void {
  const { value, rule } = window.all[window.from++]!;
  if (value !== null) drop(window.values, value);
  drop(window.rules, rule);
}

function drop<K>(counts: Map<K, number>, key: K): void {
  const left = counts.get(key)! - 1;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

function holdsFor(correlation: Correlation): Holds {
  const { type, bounds, rules } = correlation;
  const within = (value: number): boolean => bounds.every((bound) => meets(bound, value));
  switch (type) {
    case 'event_count':
      return ({ from, to }) => within(to - from + 1);
    case 'value_count':
      return ({ values }) => within(values.size);
    case 'value_sum':
      return numeric((numbers) => within(numbers.reduce((sum, one) => sum + one, 0)));
    case 'value_avg':
      return numeric((numbers) => within(numbers.reduce((sum, one) => sum + one, 0) / numbers.length));
    case 'value_median':
      return numeric((numbers) => within(percentileOf(numbers, 50)));
    case 'value_percentile': {
      const { percentile } = correlation;
      if (percentile !== null) return numeric((numbers) => within(percentileOf(numbers, percentile)));
      return ({ values }) => sharesOf(values).some(within);
    }
    case 'temporal':
      return temporal(correlation);
    case 'temporal_ordered': {
      const together = temporal(correlation);
      // A choice among some of the rules has no order of its own: only the plain form is ordered.
      const ordered = bounds.length === 0 && correlation.expression === null;
      return (window) => together(window) && (!ordered || inOrder(window, rules.length));
    }
  }
}

function meets({ op, than }: Bound, value: number): boolean {
  switch (op) {
    case 'lt':
      return value < than;
    case 'lte':
      return value <= than;
    case 'gt':
      return value > than;
    case 'gte':
      return value >= than;
    case 'eq':
      return value === than;
    case 'neq':
      return value !== than;
  }
}

function numeric(holds: (numbers: number[]) => boolean): Holds {
  return ({ values }) => {
    const numbers = [...values].flatMap(([value, count]) => {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      return Number.isNaN(number) ? [] : Array.from({ length: count }, () => number);
    });
    return numbers.length > 0 && holds(numbers);
  };
}

/** Linear interpolation between the closest ranks. */
function percentileOf(numbers: readonly number[], percentile: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const rank = (percentile / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}

/** Share in percent of each distinct value. */
function sharesOf(values: ReadonlyMap<string, number>): number[] {
  const counts = [...values.values()];
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (count / all) * 100);
}

function temporal({ rules, bounds, expression }: Correlation): Holds {
  const wanted = expression === null ? null : expressionOf(expression, rules);
  const places = new Map(rules.map((name, place) => [name, place]));
  return ({ rules: present }) => {
    if (wanted !== null) return truth(wanted, (name) => present.has(places.get(name)!));
    return bounds.length > 0 ? bounds.every((bound) => meets(bound, present.size)) : present.size === rules.length;
  };
}

/** The extended form of a temporal condition: rule references joined by and, or, not. */
export function expressionOf(text: string, rules: readonly string[]): Expression {
  const identifiers = new Map(
    rules.map((name): [string, Expression] => [name, { kind: 'test', field: name, test: { kind: 'exists' } }]),
  );
  return parseCondition(text.toLowerCase(), identifiers).expression;
}

function truth(expression: Expression, present: (name: string) => boolean): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'test':
      return present(expression.field!);
    case 'not':
      return !truth(expression.of, present);
    case 'all':
      return expression.of.every((part) => truth(part, present));
    case 'any':
      return expression.of.some((part) => truth(part, present));
  }
}

/** Whether one match per rule can be chosen, in the order of the rules, with times that never fall. */
function inOrder({ all, from, to }: Window, rules: number): boolean {
  let time = Number.NEGATIVE_INFINITY;
  for (let rule = 0; rule < rules; rule++) {
    let next = from;
    while (next <= to && (all[next]!.rule !== rule || all[next]!.time < time)) next++;
    if (next > to) return false;
    time = all[next]!.time;
  }
  return true;
}
