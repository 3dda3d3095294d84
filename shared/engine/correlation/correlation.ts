import type { Severity } from '../findings.ts';
import type { Comparison } from '../sigma/expression.ts';

export const correlationTypes = [
  'event_count',
  'value_count',
  'value_sum',
  'value_avg',
  'value_median',
  'value_percentile',
  'temporal',
  'temporal_ordered',
] as const;
export type CorrelationType = (typeof correlationTypes)[number];

/** A number that a window's value is held against; several are joined by and. */
export interface Bound {
  readonly op: Comparison | 'neq';
  readonly than: number;
}

/** A correlation rule (detection-engine 1.6), its references still by id or name. */
export interface Correlation {
  readonly id: string | null;
  readonly name: string | null;
  readonly title: string;
  readonly level: Severity;
  readonly tags: readonly string[];
  readonly author: string | null;
  readonly type: CorrelationType;
  /** Lower-case ids or names of rules and other correlations, in the order given. */
  readonly rules: readonly string[];
  readonly groupBy: readonly string[];
  /** Alias to field, by lower-case rule reference. */
  readonly aliases: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Seconds. */
  readonly timespan: number;
  /** Fields whose values are counted or added up. */
  readonly fields: readonly string[];
  readonly bounds: readonly Bound[];
  /** For `value_percentile`: 0 to 100; null asks for the share of each value. */
  readonly percentile: number | null;
  /** For the temporal types: an expression over rule references; null where all must match. */
  readonly expression: string | null;
  /** Whether the referenced rules also give findings of their own. */
  readonly generate: boolean;
  readonly path: string;
  readonly source: string;
}
