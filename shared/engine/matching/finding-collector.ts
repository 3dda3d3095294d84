import type { Finding, Sample } from '../findings.ts';
import { mostComputers } from '../findings.ts';
import { severities } from '../severity.ts';
import type { CurrentEvent } from '../events/current-event.ts';
import type { Rule } from '../sigma/rule.ts';

/** A sample and the place of its record in the input, which decides between equal times. */
interface KeptSample {
  readonly order: number;
  readonly sample: Sample;
}

/** What was found of one rule; plain data, so that threads can hand it over. */
export interface Collected {
  /** Place of the rule in its set. */
  readonly rule: number;
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
  /** In time order, undated last; a tie keeps the order of the input. */
  readonly samples: readonly KeptSample[];
  /** Each with the place of the record that it was met in, in that order; at most {@link mostComputers}. */
  readonly computers: ReadonlyMap<string, number>;
}

interface Collecting extends Collected {
  count: number;
  first: string | null;
  last: string | null;
  samples: KeptSample[];
  computers: Map<string, number>;
  isSorted: boolean;
}

/** Gathers the matches of a run into findings, keeping the earliest events of each as samples. */
export class FindingCollector {
  readonly #maxSamples: number;
  readonly #byRule = new Map<number, Collecting>();

  /** @param maxSamples 0 keeps them all. */
  constructor(maxSamples: number) {
    this.#maxSamples = maxSamples === 0 ? Number.POSITIVE_INFINITY : maxSamples;
  }

  /** @param order place of the record in the input; not less than any before. */
  add(rule: number, current: CurrentEvent, order: number): void {
    const found = this.#of(rule);
    const { head } = current;
    const { timestamp, computer } = head;
    found.count++;
    if (computer !== null && !found.computers.has(computer)) addComputer(found, computer, order);
    if (timestamp !== null) widen(found, timestamp, timestamp);
    const { samples } = found;
    const full = samples.length >= this.#maxSamples;
    if (full && !earlier(timestamp, samples.at(-1)!.sample.timestamp)) return;
    let at = samples.length;
    // Of all that are kept the order is made at the end, since finding a place among so many takes long.
    if (this.#keepsAll) found.isSorted = false;
    else while (at > 0 && earlier(timestamp, samples[at - 1]!.sample.timestamp)) at--;
    samples.splice(at, 0, { order, sample: { ...head, fields: current.record } });
    if (full) samples.pop();
  }

  /** Adds what another collector has gathered from other parts of the input. */
  merge(others: readonly Collected[]): void {
    for (const other of others) {
      const found = this.#of(other.rule);
      found.count += other.count;
      if (other.first !== null && other.last !== null) widen(found, other.first, other.last);
      found.computers = joinComputers(found.computers, other.computers);
      found.samples = [...found.samples, ...other.samples].sort(inTimeOrder).slice(0, this.#maxSamples);
    }
  }

  /** What has been gathered, by rule in their order. */
  collected(): Collected[] {
    for (const found of this.#byRule.values()) {
      if (!found.isSorted) found.samples.sort(inTimeOrder);
      found.isSorted = true;
    }
    return [...this.#byRule.values()]
      .sort((a, b) => a.rule - b.rule)
      .map(({ isSorted: _sorted, ...collected }) => collected);
  }

  /** Matches by rule so far. */
  counts(): { readonly rule: number; readonly count: number }[] {
    return [...this.#byRule.values()].map(({ rule, count }) => ({ rule, count }));
  }

  findings(rules: readonly Rule[]): Finding[] {
    return this.collected().map(({ rule: number, count, first, last, computers, samples }): Finding => {
      const rule = rules[number]!;
      return {
        ruleId: rule.id,
        ruleName: rule.title,
        severity: rule.level,
        tags: rule.tags,
        author: rule.author,
        ruleSource: rule.source,
        count,
        first,
        last,
        computers: [...computers.keys()],
        samples: samples.map(({ sample }) => sample),
      };
    });
  }

  get #keepsAll(): boolean {
    return this.#maxSamples === Number.POSITIVE_INFINITY;
  }

  #of(rule: number): Collecting {
    let found = this.#byRule.get(rule);
    if (found === undefined) {
      found = { rule, count: 0, first: null, last: null, samples: [], computers: new Map(), isSorted: true };
      this.#byRule.set(rule, found);
    }
    return found;
  }
}

/** Puts findings in order: worst first, then by count, name and id; the same for the same input and rules. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      b.count - a.count ||
      compare(a.ruleName, b.ruleName) ||
      compare(a.ruleId ?? '', b.ruleId ?? ''),
  );
}

function addComputer({ computers }: Collecting, computer: string, order: number): void {
  if (computers.size < mostComputers) computers.set(computer, order);
}

function joinComputers(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const joined = new Map<string, number>();
  const inOrderMet = [...one, ...other].sort(([, a], [, b]) => a - b);
  for (const [computer, order] of inOrderMet) {
    if (joined.size < mostComputers && !joined.has(computer)) joined.set(computer, order);
  }
  return joined;
}

function widen(found: Collecting, first: string, last: string): void {
  if (found.first === null || earlier(first, found.first)) found.first = first;
  if (found.last === null || earlier(found.last, last)) found.last = last;
}

function inTimeOrder(a: KeptSample, b: KeptSample): number {
  if (earlier(a.sample.timestamp, b.sample.timestamp)) return -1;
  if (earlier(b.sample.timestamp, a.sample.timestamp)) return 1;
  return a.order - b.order;
}

/** Times end in `Z`, which would sort a whole second behind its fractions. */
function earlier(one: string | null, other: string | null): boolean {
  if (one === null) return false;
  return other === null || one.slice(0, -1) < other.slice(0, -1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
