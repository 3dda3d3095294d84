import { type Identifiers, parseCondition } from './condition.ts';
import { allOf, anyOf, type Expression, mapTests } from './expression.ts';
import { isMapping } from './mapping.ts';
import { compileItem, compileKeyword } from './modifiers.ts';
import { RuleError } from './problem.ts';
import type { RuleContext } from './rule-context.ts';

/** Compiles `detection`: its identifiers and its condition or conditions (detection-engine 1.5). */
export function compileDetection(value: unknown, context: RuleContext): Expression {
  if (!isMapping(value)) throw new RuleError('The detection is not a map');
  const { condition, timeframe, ...named } = value;
  if (timeframe !== undefined) context.warn('timeframe belongs to correlation rules and is ignored');
  const identifiers: Identifiers = new Map(
    Object.entries(named).map(([name, one]) => [
      name,
      context.within(name, () => compileIdentifier(name, one, context)),
    ]),
  );
  if (identifiers.size === 0) throw new RuleError('The detection has no identifier');
  const used = new Set<string>();
  const expression = context.within('condition', () => compileConditions(condition, identifiers, used));
  for (const name of identifiers.keys()) {
    if (!used.has(name)) context.within(name, () => context.warn(`“${name}” is used by no condition`));
  }
  return tellingEmptyApart(expression);
}

/**
 * A rule that asks of a field both for `null` and for `''` means two things by them: there `null` is not
 * satisfied by an empty text.
 */
function tellingEmptyApart(expression: Expression): Expression {
  const fields = new Set<string>();
  mapTests(expression, (one) => {
    if (one.test.kind === 'empty' && one.field !== null) fields.add(one.field);
    return one;
  });
  if (fields.size === 0) return expression;
  return mapTests(expression, (one) =>
    one.test.kind === 'null' && fields.has(one.field!) ? { ...one, test: { kind: 'null', tells: true } } : one,
  );
}

function compileConditions(value: unknown, identifiers: Identifiers, used: Set<string>): Expression {
  const conditions = Array.isArray(value) ? (value as unknown[]) : [value];
  if (conditions.length === 0) throw new RuleError('The list of conditions is empty');
  const parts = conditions.map((text) => {
    if (typeof text !== 'string') throw new RuleError('The detection has no condition');
    const parsed = parseCondition(text, identifiers);
    for (const name of parsed.used) used.add(name);
    return parsed.expression;
  });
  return anyOf(parts);
}

function compileIdentifier(name: string, value: unknown, context: RuleContext): Expression {
  if (!Array.isArray(value)) return compileEntry(name, value, context);
  const list = value as unknown[];
  if (list.length === 0) throw new RuleError(`“${name}” is an empty list`);
  return anyOf(list.map((one, index) => context.within(index, () => compileEntry(name, one, context))));
}

function compileEntry(name: string, value: unknown, context: RuleContext): Expression {
  if (!isMapping(value)) return compileKeyword(value, context);
  const items = Object.entries(value);
  if (items.length === 0) throw new RuleError(`“${name}” has an empty map`);
  return allOf(items.map(([key, one]) => context.within(key, () => compileItem(key, one, context))));
}
