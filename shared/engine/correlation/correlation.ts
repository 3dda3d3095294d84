import type { Severity } from '../severity.ts';
import type { Comparison, Expression } from '../sigma/expression.ts';

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

/** A correlation document (detection-engine 1.6), its references still by id or name. */
export interface CorrelationDocument {
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
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>;
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

/** One of the rules, or of the other correlations, that feed a correlation. */
export interface CorrelationInput {
  readonly kind: 'rule' | 'correlation';
  /** Its place among the rules, or the correlations, of the set. */
  readonly place: number;
  /** What the group-by names mean for it. */
  readonly groupBy: readonly string[];
  /** What the names of the condition's fields mean for it. */
  readonly fields: readonly string[];
}

/** A correlation whose references are resolved; plain data. */
export interface Correlation extends Omit<CorrelationDocument, 'rules' | 'aliases' | 'expression'> {
  /** In the order of the document's `rules`. */
  readonly inputs: readonly CorrelationInput[];
  /** For the temporal types: tests of presence, each of the input whose place its field names. */
  readonly expression: Expression | null;
}
