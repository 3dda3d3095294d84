import type { Expression } from '../sigma/expression.ts';
import { loadRules } from '../sigma/load-rules.ts';
import type { LogSource } from '../sigma/log-source.ts';
import { isMapping } from '../sigma/mapping.ts';
import { readDocuments } from '../sigma/yaml-documents.ts';

/** What a rule uses of Sigma, by which it can be told what programs that lack some of it make of it. */
export interface RuleTraits {
  /** The rule that it says it is derived from, as converted copies do. */
  readonly derivedFrom: string | null;
  readonly logSource: LogSource;
  /** In lower case. */
  readonly modifiers: ReadonlySet<string>;
  /** As the rule writes them. */
  readonly fields: ReadonlySet<string>;
  /** Those whose tests must not hold; none where the rule does not load by itself. */
  readonly negatedFields: ReadonlySet<string>;
  /** Those without which the rule cannot hold, whatever else does; none where it does not load by itself. */
  readonly neededFields: ReadonlySet<string>;
  readonly hasKeywords: boolean;
  /** A value with an escaped backslash, and one that has a wildcard in it beside that. */
  readonly hasEscapedBackslash: boolean;
  readonly hasEscapedBackslashByWildcard: boolean;
  /** A question mark, as a wildcard, in a value of an item with a modifier. */
  readonly hasQuestionMark: boolean;
  /** `true` or `false`, as a text or not. */
  readonly hasBoolean: boolean;
  /** A value that begins or ends with a blank. */
  readonly hasOuterBlank: boolean;
  /** A value that begins with a drive. */
  readonly hasDrive: boolean;
}

/** Reads what a rule uses; null for a text that is no detection rule. */
export function ruleTraits(source: string): RuleTraits | null {
  const [document] = readDocuments(source);
  if (document === undefined || !('value' in document) || !isMapping(document.value)) return null;
  const { detection, logsource, related } = document.value;
  if (!isMapping(detection)) return null;
  const items = Object.entries(detection)
    .filter(([name]) => name !== 'condition' && name !== 'timeframe')
    .flatMap(([, value]) => itemsOf(value));
  const texts = items.flatMap(({ values }) => values.map(String));
  const modified = items.filter(({ modifiers }) => modifiers.length > 0).flatMap(({ values }) => values.map(String));
  const expression = loadRules([{ path: 'rule.yml', text: source }]).rules.rules[0]?.expression;
  const any = (pattern: RegExp, among = texts): boolean => among.some((text) => pattern.test(text));
  return {
    derivedFrom: originOf(related),
    logSource: sourceOf(logsource),
    modifiers: new Set(items.flatMap(({ modifiers }) => modifiers)),
    fields: new Set(items.flatMap(({ field }) => field ?? [])),
    negatedFields: new Set(expression && negatedFields(expression, false)),
    neededFields: new Set(expression && neededFields(expression)),
    hasKeywords: items.some(({ field }) => field === null),
    hasEscapedBackslash: any(/\\\\/),
    hasEscapedBackslashByWildcard: texts.some((text) => text.includes('\\\\') && /.[*?]./.test(text)),
    hasQuestionMark: any(/(?<!\\)\?/, modified),
    hasBoolean: any(/^(?:true|false)$/i),
    hasOuterBlank: any(/^\s|\s$/),
    hasDrive: any(/^[a-z]:\\/i),
  };
}

interface Item {
  /** Null for a keyword. */
  readonly field: string | null;
  readonly modifiers: readonly string[];
  readonly values: readonly unknown[];
}

function itemsOf(value: unknown): Item[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap(itemsOf);
  if (!isMapping(value)) return [{ field: null, modifiers: [], values: [value] }];
  return Object.entries(value).map(([key, given]) => {
    const [field = '', ...modifiers] = key.split('|');
    return {
      field: field === '' ? null : field,
      modifiers: modifiers.map((one) => one.toLowerCase()),
      values: Array.isArray(given) ? (given as unknown[]) : [given],
    };
  });
}

/** The last one named: converters append the rule that their copy is of. */
function originOf(related: unknown): string | null {
  if (!Array.isArray(related)) return null;
  const derived = (related as unknown[]).filter(
    (one) => isMapping(one) && one['type'] === 'derived' && typeof one['id'] === 'string',
  );
  const last = derived.at(-1);
  return isMapping(last) ? String(last['id']).toLowerCase() : null;
}

function sourceOf(stated: unknown): LogSource {
  if (!isMapping(stated)) return {};
  const named = (['product', 'category', 'service'] as const).flatMap((key) =>
    typeof stated[key] === 'string' ? [[key, stated[key].toLowerCase()] as const] : [],
  );
  return Object.fromEntries(named);
}

function negatedFields(expression: Expression, isNegated: boolean): string[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'not':
      return negatedFields(expression.of, !isNegated);
    case 'test':
      return isNegated && expression.field !== null ? [expression.field] : [];
    default:
      return expression.of.flatMap((part) => negatedFields(part, isNegated));
  }
}

function neededFields(expression: Expression): string[] {
  switch (expression.kind) {
    case 'constant':
    case 'not':
      return [];
    case 'test':
      return expression.field === null ? [] : [expression.field];
    case 'all':
      return expression.of.flatMap(neededFields);
    case 'any': {
      const [first = [], ...others] = expression.of.map(neededFields);
      return first.filter((field) => others.every((fields) => fields.includes(field)));
    }
  }
}
