import { parseCondition, type Identifiers } from './condition.ts';
import { allOf, anyOf, type Expression } from './expression.ts';
import { compileItem, compileKeyword, type ItemContext } from './modifiers.ts';
import { RuleError } from './problem.ts';

/** Tests that one rule may have; aliases can multiply few lines into many. */
const mostTests = 200_000;

type Mapping = Readonly<Record<string, unknown>>;

/** Compiles `detection`: its identifiers and its condition or conditions (detection-engine 1.5). */
export function compileDetection(value: unknown, context: ItemContext): Expression {
  if (!isMapping(value)) throw new RuleError('The detection is not a map', 'detection');
  const { condition, timeframe, ...named } = value;
  if (timeframe !== undefined) context.warn('timeframe belongs to correlation rules and is ignored');
  const budget = { left: mostTests };
  const identifiers: Identifiers = new Map(
    Object.entries(named).map(([name, one]) => [name, compileIdentifier(name, one, context, budget)]),
  );
  if (identifiers.size === 0) throw new RuleError('The detection has no identifier', 'detection');
  const conditions = Array.isArray(condition) ? (condition as unknown[]) : [condition];
  const used = new Set<string>();
  const parts = conditions.map((text) => {
    if (typeof text !== 'string') throw new RuleError('The detection has no condition', 'detection');
    const parsed = parseCondition(text, identifiers);
    for (const name of parsed.used) used.add(name);
    return parsed.expression;
  });
  if (parts.length === 0) throw new RuleError('The list of conditions is empty', 'condition');
  for (const name of identifiers.keys()) if (!used.has(name)) context.warn(`“${name}” is used by no condition`);
  return anyOf(parts);
}

function compileIdentifier(name: string, value: unknown, context: ItemContext, budget: { left: number }): Expression {
  if (isMapping(value)) return compileMap(name, value, context, budget);
  if (!Array.isArray(value)) return keyword(value, context, budget);
  const list = value as unknown[];
  if (list.length === 0) throw new RuleError(`“${name}” is an empty list`, name);
  return anyOf(
    list.map((one) => (isMapping(one) ? compileMap(name, one, context, budget) : keyword(one, context, budget))),
  );
}

function keyword(value: unknown, context: ItemContext, budget: { left: number }): Expression {
  spend(budget, value);
  return compileKeyword(value, context);
}

function compileMap(name: string, map: Mapping, context: ItemContext, budget: { left: number }): Expression {
  const items = Object.entries(map);
  if (items.length === 0) throw new RuleError(`“${name}” is an empty map`, name);
  return allOf(
    items.map(([key, value]) => {
      spend(budget, value);
      return compileItem(key, value, context);
    }),
  );
}

function spend(budget: { left: number }, value: unknown): void {
  budget.left -= Array.isArray(value) ? value.length : 1;
  if (budget.left < 0) throw new RuleError(`The rule has more than ${mostTests} values`, 'detection');
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
