import type { Finding, Sample } from '../findings.ts';
import { severities } from '../findings.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { Rule } from '../sigma/rule.ts';

interface Collected {
  count: number;
  first: string | null;
  last: string | null;
  /** In time order, undated last; a tie keeps the order of the input. */
  readonly samples: Sample[];
}

/** Gathers the matches of a run into findings, keeping the earliest events of each as samples. */
export class FindingCollector {
  readonly #rules: readonly Rule[];
  readonly #maxSamples: number;
  readonly #byRule = new Map<number, Collected>();

  /** @param maxSamples 0 keeps them all. */
  constructor(rules: readonly Rule[], maxSamples: number) {
    this.#rules = rules;
    this.#maxSamples = maxSamples === 0 ? Number.POSITIVE_INFINITY : maxSamples;
  }

  add(rule: number, event: LogEvent): void {
    let found = this.#byRule.get(rule);
    if (found === undefined) this.#byRule.set(rule, (found = { count: 0, first: null, last: null, samples: [] }));
    const head = event.head();
    const { timestamp } = head;
    found.count++;
    if (timestamp !== null) {
      if (found.first === null || earlier(timestamp, found.first)) found.first = timestamp;
      if (found.last === null || earlier(found.last, timestamp)) found.last = timestamp;
    }
    const { samples } = found;
    const full = samples.length >= this.#maxSamples;
    if (full && !earlier(timestamp, samples.at(-1)!.timestamp)) return;
    let at = samples.length;
    while (at > 0 && earlier(timestamp, samples[at - 1]!.timestamp)) at--;
    samples.splice(at, 0, { ...head, fields: event.toRecord() });
    if (full) samples.pop();
  }

  findings(): Finding[] {
    return [...this.#byRule].map(([number, found]): Finding => {
      const rule = this.#rules[number]!;
      return {
        ruleId: rule.id,
        ruleName: rule.title,
        severity: rule.level,
        tags: rule.tags,
        author: rule.author,
        ruleSource: rule.source,
        ...found,
      };
    });
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

/** Times end in `Z`, which would sort a whole second behind its fractions. */
function earlier(one: string | null, other: string | null): boolean {
  if (one === null) return false;
  return other === null || one.slice(0, -1) < other.slice(0, -1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
