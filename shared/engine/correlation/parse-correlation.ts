import { severities, type Severity } from '../severity.ts';
import { isMapping, type Mapping } from '../sigma/mapping.ts';
import { quoted, RuleError } from '../sigma/problem.ts';
import type { YamlPath } from '../sigma/yaml-documents.ts';
import { correlationTypes, type Bound, type CorrelationDocument, type CorrelationType } from './correlation.ts';

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

const keys = new Set(['type', 'rules', 'group-by', 'aliases', 'timespan', 'condition', 'generate']);

/** Reads a correlation document; throws a `RuleError` naming what cannot be honoured. */
export function parseCorrelation(document: Mapping, path: string, source: string): CorrelationDocument {
  const { correlation } = document;
  if (!isMapping(correlation)) throw new RuleError('correlation is not a map', 'correlation');
  if (typeof document.title !== 'string' || document.title === '')
    throw new RuleError('The rule has no title', 'title');
  const unknown = Object.keys(correlation).find((key) => !keys.has(key));
  if (unknown !== undefined)
    throw new RuleError(`The correlation has an unknown key ${unknown}`, 'correlation', unknown);
  const type = typeOf(correlation.type);
  const condition = conditionOf(type, correlation.condition);
  return {
    id: text(document.id)?.toLowerCase() ?? null,
    name: text(document.name),
    title: document.title,
    level: levelOf(document.level),
    tags: texts(document.tags, 'tags'),
    author: text(document.author),
    type,
    rules: referencesOf(correlation.rules, condition.expression),
    groupBy: texts(correlation['group-by'], 'correlation', 'group-by'),
    aliases: aliasesOf(correlation.aliases),
    timespan: timespanOf(correlation.timespan),
    ...condition,
    generate: generates(correlation.generate),
    path,
    source,
  };
}

function typeOf(value: unknown): CorrelationType {
  const type = correlationTypes.find((one) => one === value);
  if (type === undefined) throw new RuleError(`The correlation type ${shown(value)} is unknown`, 'correlation', 'type');
  return type;
}

function levelOf(value: unknown): Severity {
  if (value === undefined || value === null) return 'informational';
  const level = severities.find((one) => one === text(value)?.toLowerCase());
  if (level === undefined) throw new RuleError(`The level ${shown(value)} is unknown`, 'level');
  return level;
}

/** @param expression that names the rules where they are not listed. */
function referencesOf(value: unknown, expression: string | null): string[] {
  const listed = texts(value, 'correlation', 'rules').map((name) => name.toLowerCase());
  const named =
    value === undefined || value === null ? (expression?.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []) : [];
  const names = listed.length > 0 ? listed : [...new Set(named)].filter((name) => !/^(?:and|or|not)$/.test(name));
  if (names.length === 0) throw new RuleError('The correlation names no rules', 'correlation', 'rules');
  return names;
}

function aliasesOf(value: unknown): CorrelationDocument['aliases'] {
  if (value === undefined || value === null) return new Map();
  if (!isMapping(value)) throw new RuleError('aliases is not a map', 'correlation', 'aliases');
  return new Map(
    Object.entries(value).map(([alias, fields]) => {
      if (!isMapping(fields)) throw new RuleError(`The alias ${alias} is not a map`, 'correlation', 'aliases', alias);
      return [alias, new Map(Object.entries(fields).map(([rule, field]) => [rule.toLowerCase(), String(field)]))];
    }),
  );
}

function generates(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new RuleError('generate is true or false', 'correlation', 'generate');
  return value;
}

function timespanOf(value: unknown): number {
  const [, count, unit] = /^(\d{1,9})([smhdwMy])$/.exec(String(value)) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new RuleError(
      `The timespan ${shown(value)} is not a number with s, m, h, d, w, M or y`,
      'correlation',
      'timespan',
    );
  }
  return Number(count) * seconds[unit!]!;
}

const inCondition = ['correlation', 'condition'];

type Condition = Pick<CorrelationDocument, 'fields' | 'bounds' | 'percentile' | 'expression'>;

function conditionOf(type: CorrelationType, value: unknown): Condition {
  const none: Condition = { fields: [], bounds: [], percentile: null, expression: null };
  const temporal = type.startsWith('temporal');
  if (temporal && (value === undefined || value === null)) return none;
  if (temporal && typeof value === 'string') return { ...none, expression: value };
  if (!isMapping(value)) throw new RuleError(`A correlation of type ${type} needs a condition`, ...inCondition);
  const { field, percentile, ...rest } = value;
  const bounds = boundsOf(rest);
  const fields = texts(field, ...inCondition, 'field');
  if (type === 'event_count' || temporal) {
    if (fields.length > 0) throw new RuleError(`A correlation of type ${type} takes no field`, ...inCondition, 'field');
    return { ...none, bounds };
  }
  if (fields.length === 0) throw new RuleError(`A correlation of type ${type} needs a field`, ...inCondition);
  if (type !== 'value_count' && fields.length > 1)
    throw new RuleError(`A correlation of type ${type} takes one field`, ...inCondition, 'field');
  if (percentile === undefined) return { ...none, fields, bounds };
  const rank = numberOf(percentile);
  if (type !== 'value_percentile' || rank === null || rank < 0 || rank > 100) {
    throw new RuleError(
      'percentile is a number from 0 to 100, for value_percentile only',
      ...inCondition,
      'percentile',
    );
  }
  return { ...none, fields, bounds, percentile: rank };
}

function boundsOf(value: Mapping): Bound[] {
  const bounds = Object.entries(value).map(([key, than]): Bound => {
    const op = operators.find((one) => one === key);
    if (op === undefined) throw new RuleError(`The condition has an unknown key ${key}`, ...inCondition, key);
    const number = numberOf(than);
    if (number === null) throw new RuleError(`The condition’s ${key} is not a number`, ...inCondition, key);
    return { op, than: number };
  });
  if (bounds.length === 0) throw new RuleError('The condition compares with nothing', ...inCondition);
  return bounds;
}

/** A value in a message. */
function shown(value: unknown): string {
  const isScalar = ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
  return isScalar ? quoted(String(value)) : 'there';
}

/** Integers of a document are bigints. */
function numberOf(value: unknown): number | null {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
}

function texts(value: unknown, ...at: YamlPath): string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!list.every((one) => typeof one === 'string'))
    throw new RuleError(`${at.at(-1)} is not text or a list of texts`, ...at);
  return list;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
