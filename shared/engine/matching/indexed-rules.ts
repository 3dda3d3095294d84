import type { LogSource } from '../sigma/log-source.ts';
import type { Rule } from '../sigma/rule.ts';

/** Rules grouped by what their log sources state, so that a route is held against each of those once. */
export interface IndexedRules {
  readonly rules: readonly Rule[];
  readonly bySource: readonly { readonly source: LogSource; readonly numbers: readonly number[] }[];
}

export function indexRules(rules: readonly Rule[]): IndexedRules {
  const bySource = new Map<string, { source: LogSource; numbers: number[] }>();
  for (const [number, { logSource }] of rules.entries()) {
    const key = JSON.stringify([logSource.product, logSource.category, logSource.service]);
    const entry = bySource.get(key) ?? { source: logSource, numbers: [] };
    entry.numbers.push(number);
    bySource.set(key, entry);
  }
  return { rules, bySource: [...bySource.values()] };
}
