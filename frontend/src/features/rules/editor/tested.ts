import type { TestedJob } from '@svc/contracts';

/** What rules found in some logs, in numbers. */
export interface TestTotals {
  /** Logs in which something matches. */
  readonly hit: number;
  readonly matches: number;
  readonly records: number;
  /** Records of the rules’ log sources; null where that is not known. */
  readonly ofSource: number | null;
  /** Matches per 1,000 records: how noisy the rule would be; null where no whole log was read. */
  readonly noise: number | null;
}

type Tested = Pick<TestedJob, 'checked' | 'records' | 'rules'>;

/** Adds up what was tested. Kept events matched something already, so that they say nothing of noise. */
export function totalsOf(logs: readonly Tested[]): TestTotals {
  const whole = logs.filter(({ checked }) => checked === 'log');
  const [records, ofWhole] = [sum(logs, ({ records: one }) => one), sum(whole, ({ records: one }) => one)];
  return {
    hit: logs.filter((log) => matchesOf(log) > 0).length,
    matches: sum(logs, matchesOf),
    records,
    ofSource: whole.length === 0 ? null : sum(whole, ({ rules }) => sum(rules, ({ of_source: one }) => one ?? 0)),
    noise: ofWhole === 0 ? null : (sum(whole, matchesOf) * 1000) / ofWhole,
  };
}

/** Matches of all rules in one log. */
export function matchesOf({ rules }: Pick<TestedJob, 'rules'>): number {
  return sum(rules, ({ count }) => count);
}

/** Matches per 1,000 records with as many digits as say something. */
export function noiseText(noise: number): string {
  if (noise === 0) return '0';
  return noise < 0.01 ? 'below 0.01' : noise.toFixed(noise < 1 ? 2 : noise < 100 ? 1 : 0);
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
