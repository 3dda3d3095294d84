import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../sigma/load-rules.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { Correlator } from './correlator.ts';
import type { CorrelatedMatch } from './match-collector.ts';
import { PartOrder } from './part-order.ts';
import { ReorderBuffer } from './reorder-buffer.ts';

const rule = (name: string): string =>
  `title: ${name}\nname: ${name}\nlogsource: {product: windows}\ndetection: {s: {A: a}, condition: s}\n---\n`;

function rulesWith(correlation: string): RuleSet {
  const text = `${rule('a')}${rule('b')}${rule('c')}title: C\ncorrelation: {${correlation}}\n`;
  const { rules, rejected } = loadRules([{ path: 'r.yml', text }]);
  expect(rejected).toEqual([]);
  return rules;
}

interface Given {
  /** Seconds. */
  readonly time: number;
  readonly input?: number;
  readonly key?: string;
  readonly value?: string | null;
}

/** Matches in the order of the input; the computer tells which one it is. */
function matches(given: readonly Given[]): CorrelatedMatch[] {
  return given.map(({ time, input = 0, key = '', value = null }, order) => ({
    correlation: 0,
    key,
    time: time * 1000,
    order,
    input,
    value,
    timestamp: new Date(time * 1000).toISOString(),
    computer: String(order),
    sample: null,
    place: null,
    named: null,
    added: null,
    isReported: false,
  }));
}

/** Places of the matches that contribute to the finding. */
function contributing(rules: RuleSet, given: readonly Given[], most?: number): number[] {
  const correlator = new Correlator(rules, { maxSamples: 10 }, most);
  correlator.add(matches(given));
  return correlator.findings().flatMap(({ computers }) => computers.map(Number));
}

/** The specification said again, over all matches at once and window by window. */
function plainly(given: readonly Given[], span: number, isRising: boolean, holds: Holds): number[] {
  const found = new Set<number>();
  const all = given.map((one, order) => ({ ...one, order }));
  for (const key of new Set(all.map((one) => one.key))) {
    const group = all
      .filter((one) => one.key === key)
      .toSorted((one, other) => one.time - other.time || one.order - other.order);
    const windows = isRising
      ? group.map((last, at) => group.slice(0, at + 1).filter(({ time }) => time >= last.time - span))
      : apart(group, span);
    for (const window of windows) if (holds(window)) for (const { order } of window) found.add(order);
  }
  return [...found].toSorted((one, other) => one - other);
}

type Holds = (window: readonly Given[]) => boolean;

function apart<T extends Given>(group: readonly T[], span: number): T[][] {
  const windows: T[][] = [];
  for (const one of group) {
    const open = windows.at(-1);
    if (open !== undefined && one.time <= open[0]!.time + span) open.push(one);
    else windows.push([one]);
  }
  return windows;
}

const distinct = (window: readonly Given[], of: 'value' | 'input'): number =>
  new Set(window.map((one) => one[of])).size;
const numbers = (window: readonly Given[]): number[] => window.map(({ value }) => Number(value));
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const percentile = (all: readonly number[], rank: number): number => {
  const sorted = all.toSorted((one, other) => one - other);
  const place = (rank / 100) * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
};
/** Length of the longest choice of inputs in rising order with times that never fall. */
const longest = (window: readonly Given[], from = 0, since = Number.NEGATIVE_INFINITY): number =>
  Math.max(
    0,
    ...window.flatMap(({ input = 0, time }) =>
      input >= from && time >= since ? [1 + longest(window, input + 1, time)] : [],
    ),
  );

const span = 10;
const cases: [string, boolean, Holds][] = [
  ['type: event_count, rules: [a, b, c], condition: {gte: 3}', true, (window) => window.length >= 3],
  ['type: event_count, rules: [a, b, c], condition: {gt: 2, lt: 5}', false, ({ length }) => length > 2 && length < 5],
  ['type: event_count, rules: [a, b, c], condition: {neq: 2}', false, (window) => window.length !== 2],
  ['type: value_count, rules: [a, b, c], condition: {field: F, gte: 3}', true, (all) => distinct(all, 'value') >= 3],
  ['type: value_count, rules: [a, b, c], condition: {field: F, lte: 1}', false, (all) => distinct(all, 'value') <= 1],
  ['type: value_sum, rules: [a, b, c], condition: {field: F, gt: 8}', true, (all) => sum(numbers(all)) > 8],
  [
    'type: value_avg, rules: [a, b, c], condition: {field: F, gte: 3}',
    true,
    (all) => sum(numbers(all)) / all.length >= 3,
  ],
  [
    'type: value_median, rules: [a, b, c], condition: {field: F, gte: 3}',
    true,
    (all) => percentile(numbers(all), 50) >= 3,
  ],
  [
    'type: value_percentile, rules: [a, b, c], condition: {field: F, percentile: 75, lt: 3}',
    false,
    (all) => percentile(numbers(all), 75) < 3,
  ],
  [
    'type: value_percentile, rules: [a, b, c], condition: {field: F, gte: 60}',
    true,
    (all) =>
      [...new Set(numbers(all))].some(
        (one) => numbers(all).filter((other) => other === one).length / all.length >= 0.6,
      ),
  ],
  ['type: temporal, rules: [a, b, c]', true, (all) => distinct(all, 'input') === 3],
  ['type: temporal, rules: [a, b, c], condition: {lt: 2}', true, (all) => distinct(all, 'input') < 2],
  [
    'type: temporal, rules: [a, b, c], condition: a and not (b or c)',
    true,
    (all) => distinct(all, 'input') === 1 && all[0]!.input === 0,
  ],
  ['type: temporal_ordered, rules: [a, b, c]', true, (all) => longest(all) === 3],
  ['type: temporal_ordered, rules: [a, b, c], condition: {gte: 2}', true, (all) => longest(all) >= 2],
];

const given = fc.array(
  fc.record({
    time: fc.nat(60),
    input: fc.nat(2),
    key: fc.constantFrom('x', 'y'),
    value: fc.nat(5).map(String),
  }),
  { maxLength: 24 },
);

describe('correlations in a stream', () => {
  it.each(cases)('%s: what the specification says of all matches at once', (text, isRising, holds) => {
    const rules = rulesWith(`${text}, timespan: ${span}s`);
    const property = fc.property(given, (all) => {
      expect(contributing(rules, all)).toEqual(plainly(all, span, isRising, holds));
    });
    fc.assert(property, { numRuns: 300 });
  });

  const twice = rulesWith('type: event_count, rules: a, timespan: 10s, condition: {gte: 2}');

  it('hold no more matches than there is room for, and lose none that come in order', () => {
    const pairs = Array.from({ length: 500 }, (_, at) => ({ time: Math.floor(at / 2) * 100 + (at % 2) }));
    expect(contributing(twice, pairs, 3)).toHaveLength(500);
    const shuffled = pairs.map((_, at) => pairs[at ^ 3]!);
    expect(contributing(twice, shuffled, 8)).toHaveLength(500);
  });

  it('count what comes too late for the room there is', () => {
    const correlator = new Correlator(twice, { maxSamples: 10 }, 3);
    correlator.add(
      matches([{ time: 1000 }, { time: 2000 }, { time: 3000 }, { time: 4000 }, { time: 5 }, { time: 6000 }]),
    );
    expect(correlator.findings()).toEqual([]);
    expect(correlator.problems(0)).toMatchObject([{ code: 'correlation-late', count: 1 }]);
  });

  it('drop the oldest of windows too long for the room there is, and say so', () => {
    const long = rulesWith('type: event_count, rules: a, timespan: 1y, condition: {gte: 100}');
    const correlator = new Correlator(long, { maxSamples: 10 }, 50);
    correlator.add(matches(Array.from({ length: 120 }, (_, time) => ({ time }))));
    expect(correlator.findings()).toEqual([]);
    expect(correlator.problems(2)).toMatchObject([
      { code: 'correlation-full', count: 70 },
      { code: 'correlation-ungrouped', count: 2 },
    ]);
    const groups = new Correlator(long, { maxSamples: 10 }, 50);
    groups.add(matches(Array.from({ length: 300 }, (_, time) => ({ time, key: String(time) }))));
    expect(groups.findings()).toEqual([]);
    expect(groups.problems(0)).toMatchObject([{ code: 'correlation-full', count: 250 }]);
  });

  it('forget groups whose windows have passed', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ time: at * 20, key: String(at) }));
    const correlator = new Correlator(twice, { maxSamples: 10 }, 80_000);
    correlator.add(matches(many));
    correlator.findings();
    expect(correlator.problems(0)).toEqual([]);
  });
});

describe('ReorderBuffer', () => {
  it('gives back by time and place, whatever is put in and taken out between', () => {
    const property = fc.property(fc.array(fc.option(fc.nat(20))), (steps) => {
      const buffer = new ReorderBuffer();
      const times = steps.flatMap((time) => time ?? []);
      const all = matches(times.map((time, at) => ({ time, key: `k${time}`, value: at % 2 === 0 ? null : 'v' })));
      let held: CorrelatedMatch[] = [];
      let next = 0;
      for (const step of steps) {
        if (step === null) {
          const [first, ...others] = held.toSorted((one, other) => one.time - other.time || one.order - other.order);
          expect(buffer.pop()).toEqual(first);
          held = others;
        } else {
          buffer.push(all[next]!);
          held.push(all[next++]!);
        }
        expect(buffer.size).toBe(held.length);
      }
    });
    fc.assert(property);
  });

  it('grows', () => {
    const buffer = new ReorderBuffer();
    const all = matches(Array.from({ length: 5000 }, (_, at) => ({ time: (at * 7919) % 5000 })));
    for (const match of all) buffer.push(match);
    expect(all.map(() => buffer.pop()!.time / 1000)).toEqual(all.map((_, at) => at));
  });
});

describe('PartOrder', () => {
  it('gives on the matches of parts in the order of these, however they come', () => {
    const [a, b, c, d] = matches([{ time: 0 }, { time: 1 }, { time: 2 }, { time: 3 }]) as [
      CorrelatedMatch,
      CorrelatedMatch,
      CorrelatedMatch,
      CorrelatedMatch,
    ];
    const passedOn: number[] = [];
    const order = new PartOrder((some) => passedOn.push(...some.map((match) => match.order)));
    order.take(2, [d], false);
    order.take(1, [c], true);
    order.take(0, [a], false);
    expect(passedOn).toEqual([0]);
    order.take(0, [b], false);
    order.take(0, [], true);
    expect(passedOn).toEqual([0, 1, 2, 3]);
    order.take(2, [], true);
    order.take(3, [a], true);
    expect(passedOn).toEqual([0, 1, 2, 3, 0]);
  });
});
