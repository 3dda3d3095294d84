import type { RouteNames, SourceFacts } from '../events/route.ts';
import { anyOf, type Expression } from './expression.ts';
import { inputFacts } from './input-sources.ts';
import { appliesTo, type LogSource } from './log-source.ts';
import { isLinuxSysmon, linuxFacts, linuxSysmonRows } from './linux-sources.ts';
import type { SourceRow } from './source-row.ts';
import { windowsFacts, windowsRows } from './windows-sources.ts';

/** All rows that records of a route satisfy (detection-engine 1.2). */
export function rowsOf(route: RouteNames): readonly SourceRow[] {
  if (route.facts.length > 0 || route.product !== 'windows') return route.facts.map((facts) => ({ facts }));
  return isLinuxSysmon(route) ? linuxSysmonRows(route) : windowsRows(route);
}

/** The rows of a route through which a rule sees its records: category rows only where it states one. */
export function rowsFor(source: LogSource, rows: readonly SourceRow[]): SourceRow[] {
  const seeing = rows.filter(
    ({ facts }) => (facts.category === undefined || source.category !== undefined) && appliesTo(source, facts),
  );
  // Rows that differ in nothing but facts show the rule the same record in the same way.
  const alike = (row: SourceRow): number =>
    seeing.findIndex(({ when, mapping }) => when === row.when && mapping === row.mapping);
  return seeing.filter((row, at) => alike(row) === at);
}

/**
 * Facts of records of which a log source is stated from outside: what the source states, and the same without
 * its category for rules that name none.
 */
export function statedFacts(source: LogSource | 'any' | undefined): readonly SourceFacts[] {
  if (source === undefined) return [];
  if (source === 'any') return [{ open: true }];
  const { product, category, service } = source;
  const plain = { ...(product && { product: lower(product) }), ...(service && { service: lower(service) }) };
  return category === undefined ? [plain] : [plain, { ...plain, category: lower(category) }];
}

/** What must hold of a record, besides the rule's own expression, for a rule to see it through a row. */
export function conditionOf({ facts, when }: SourceRow, expression: Expression): Expression | undefined {
  return facts.open ? anyOf(presences(expression, true)) : when;
}

/** Tests for the fields that an expression asks something positive of; a keyword asks for none. */
function presences(expression: Expression, isPositive: boolean): Expression[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'not':
      return presences(expression.of, !isPositive);
    case 'test': {
      const { field, test } = expression;
      if (!isPositive || test.kind === 'null') return [];
      return [field === null ? { kind: 'constant', value: true } : { kind: 'test', field, test: { kind: 'exists' } }];
    }
    default:
      return expression.of.flatMap((part) => presences(part, isPositive));
  }
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Whether any input that can be read satisfies the log source. */
export function hasInput(source: LogSource): boolean {
  return [...windowsFacts, ...linuxFacts, ...inputFacts].some((row) => appliesTo(source, row));
}
