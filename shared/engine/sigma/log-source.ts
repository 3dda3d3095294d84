import type { SourceFacts } from '../events/route.ts';
import { RuleError } from './problem.ts';

/** What a rule's `logsource` states, lower-case; what it does not state matches everything. */
export interface LogSource {
  readonly product?: string;
  readonly category?: string;
  readonly service?: string;
}

/** Reads `logsource`; `definition` and other keys are text for people. */
export function parseLogSource(value: unknown): LogSource {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RuleError('The rule has no logsource', 'logsource');
  }
  const source: { product?: string; category?: string; service?: string } = {};
  for (const key of ['product', 'category', 'service'] as const) {
    const stated = (value as Record<string, unknown>)[key];
    if (stated === undefined || stated === null) continue;
    if (typeof stated !== 'string') throw new RuleError(`logsource.${key} is not text`, 'logsource', key);
    source[key] = stated.toLowerCase();
  }
  if (Object.keys(source).length === 0) throw new RuleError('The logsource states nothing', 'logsource');
  return source;
}

/** Whether each stated key equals the fact of one row (detection-engine 1.2), or the row is open to all. */
export function appliesTo(source: LogSource, row: SourceFacts): boolean {
  if (row.open) return true;
  return (
    (source.product === undefined || source.product === row.product) &&
    (source.category === undefined || source.category === row.category) &&
    (source.service === undefined || source.service === row.service)
  );
}
