import { severities, type Severity } from '../findings.ts';
import { isMapping, type Mapping } from '../sigma/mapping.ts';
import { RuleError } from '../sigma/problem.ts';
import { correlationTypes, type Bound, type Correlation, type CorrelationType } from './correlation.ts';

const seconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_629_746,
  y: 31_556_952,
};
const operators = ['lt', 'lte', 'gt', 'gte', 'eq', 'neq'] as const;

/** Reads a correlation document; throws a `RuleError` naming what cannot be honoured. */
export function parseCorrelation(document: Mapping, path: string, source: string): Correlation {
  const { correlation } = document;
  if (!isMapping(correlation)) throw new RuleError('correlation is not a map', 'correlation');
  if (typeof document.title !== 'string' || document.title === '')
    throw new RuleError('The rule has no title', 'title');
  const type = typeOf(correlation.type);
  const condition = conditionOf(type, correlation.condition);
  const groupBy = texts(correlation['group-by'], 'group-by');
  return {
    id: text(document.id)?.toLowerCase() ?? null,
    name: text(document.name),
    title: document.title,
    level: levelOf(document.level),
    tags: texts(document.tags, 'tags'),
    author: text(document.author),
    type,
    rules: referencesOf(correlation.rules),
    groupBy,
    aliases: aliasesOf(correlation.aliases, groupBy),
    timespan: timespanOf(correlation.timespan),
    ...condition,
    generate: correlation.generate === true,
    path,
    source,
  };
}

function typeOf(value: unknown): CorrelationType {
  const type = correlationTypes.find((one) => one === value);
  if (type === undefined) throw new RuleError(`The correlation type ${JSON.stringify(value)} is unknown`, 'type');
  return type;
}

function levelOf(value: unknown): Severity {
  if (value === undefined || value === null) return 'informational';
  const level = severities.find((one) => one === text(value)?.toLowerCase());
  if (level === undefined) throw new RuleError(`The level ${JSON.stringify(value)} is unknown`, 'level');
  return level;
}

function referencesOf(value: unknown): string[] {
  const names = texts(value, 'rules').map((name) => name.toLowerCase());
  if (names.length === 0) throw new RuleError('The correlation names no rules', 'rules');
  return names;
}

function aliasesOf(value: unknown, groupBy: readonly string[]): Correlation['aliases'] {
  if (value === undefined || value === null) return {};
  if (!isMapping(value)) throw new RuleError('aliases is not a map', 'aliases');
  return Object.fromEntries(
    Object.entries(value).map(([alias, fields]) => {
      if (!isMapping(fields)) throw new RuleError(`The alias ${alias} is not a map`, alias);
      if (!groupBy.includes(alias)) throw new RuleError(`The alias ${alias} is not used in group-by`, alias);
      return [
        alias,
        Object.fromEntries(Object.entries(fields).map(([rule, field]) => [rule.toLowerCase(), String(field)])),
      ];
    }),
  );
}

function timespanOf(value: unknown): number {
  const [, count, unit] = /^(\d{1,9})([smhdwMy])$/.exec(String(value)) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new RuleError(`The timespan ${JSON.stringify(value)} is not a number with s, m, h, d, w, M or y`, 'timespan');
  }
  return Number(count) * seconds[unit!]!;
}

type Condition = Pick<Correlation, 'fields' | 'bounds' | 'percentile' | 'expression'>;

function conditionOf(type: CorrelationType, value: unknown): Condition {
  const none: Condition = { fields: [], bounds: [], percentile: null, expression: null };
  const temporal = type.startsWith('temporal');
  if (temporal && (value === undefined || value === null)) return none;
  if (temporal && typeof value === 'string') return { ...none, expression: value };
  if (!isMapping(value)) throw new RuleError(`A correlation of type ${type} needs a condition`, 'condition');
  const { field, percentile, ...rest } = value;
  const bounds = boundsOf(rest);
  const fields = texts(field, 'field');
  if (type === 'event_count' || temporal) {
    if (fields.length > 0) throw new RuleError(`A correlation of type ${type} takes no field`, 'field');
    return { ...none, bounds };
  }
  if (fields.length === 0) throw new RuleError(`A correlation of type ${type} needs a field`, 'condition');
  if (type !== 'value_count' && fields.length > 1)
    throw new RuleError(`A correlation of type ${type} takes one field`, 'field');
  if (percentile === undefined) return { ...none, fields, bounds };
  const rank = numberOf(percentile);
  if (type !== 'value_percentile' || rank === null || rank < 0 || rank > 100) {
    throw new RuleError('percentile is a number from 0 to 100, for value_percentile only', 'percentile');
  }
  return { ...none, fields, bounds, percentile: rank };
}

function boundsOf(value: Mapping): Bound[] {
  const bounds = Object.entries(value).map(([key, than]): Bound => {
    const op = operators.find((one) => one === key);
    if (op === undefined) throw new RuleError(`The condition has an unknown key ${key}`, key);
    const number = numberOf(than);
    if (number === null) throw new RuleError(`The condition’s ${key} is not a number`, key);
    return { op, than: number };
  });
  if (bounds.length === 0) throw new RuleError('The condition compares with nothing', 'condition');
  return bounds;
}

/** Integers of a document are bigints. */
function numberOf(value: unknown): number | null {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
}

function texts(value: unknown, key: string): string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!list.every((one) => typeof one === 'string')) throw new RuleError(`${key} is not text or a list of texts`, key);
  return list;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
