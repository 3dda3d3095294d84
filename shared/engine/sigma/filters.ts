import { compileDetection } from './detection.ts';
import { allOf, type Expression } from './expression.ts';
import { parseLogSource, type LogSource } from './log-source.ts';
import { isMapping } from './mapping.ts';
import { RuleError } from './problem.ts';
import type { RuleContext } from './rule-context.ts';
import type { Rule } from './rule.ts';

/** A Sigma filter: narrows the rules that it names (detection-engine 1.7). */
export interface Filter {
  /** Lower-case ids and names; null for any rule. */
  readonly rules: ReadonlySet<string> | null;
  readonly logSource: LogSource;
  readonly expression: Expression;
}

/** Reads a filter document. */
export function parseFilter(document: Readonly<Record<string, unknown>>, context: RuleContext): Filter {
  const { filter } = document;
  if (!isMapping(filter)) throw new RuleError('The filter is not a map');
  const { rules, ...detection } = filter;
  const condition = String(detection.condition);
  if (!/\bnot\b/i.test(condition)) context.warn('The filter’s condition has no “not”: it keeps what it describes');
  return {
    rules: references(rules),
    logSource: parseLogSource(document.logsource),
    expression: compileDetection(detection, context),
  };
}

function references(value: unknown): ReadonlySet<string> | null {
  if (value === undefined) throw new RuleError('The filter names no rules');
  const names = (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => String(one).toLowerCase());
  return names.length === 0 || (names.length === 1 && names[0] === 'any') ? null : new Set(names);
}

/** The rule with every filter that names it and whose stated log source equals the rule's. */
export function applyFilters(rule: Rule, filters: readonly Filter[]): Rule {
  const applying = filters.filter(({ rules, logSource }) => {
    const named = rules === null || rules.has(rule.id ?? '') || rules.has(rule.name?.toLowerCase() ?? '');
    const keys = ['product', 'category', 'service'] as const;
    return named && keys.every((key) => logSource[key] === undefined || logSource[key] === rule.logSource[key]);
  });
  if (applying.length === 0) return rule;
  return { ...rule, expression: allOf([rule.expression, ...applying.map(({ expression }) => expression)]) };
}
