import { entityTypeNamed, entityTypes, type EntityType } from '../entity.ts';
import type { SearchMoment } from '../search/conditions.ts';
import { readAmount, readId, readMoment, type Read } from '../search/values.ts';
import { tagLimits, tagName } from '../tag.ts';
import type { EntityCondition, MomentRange } from './conditions.ts';
import {
  entityAttributeKey,
  entityCategories,
  entityFlags,
  entitySearchLimits,
  entityTraits,
  type EntitySearchKey,
} from './keys.ts';
import { networkRange } from './networks.ts';
import { patternProblem } from './patterns.ts';
import type { EntityTermText } from './scan.ts';

/** What a term asks, and what of it cannot be used: reasons follow the term where they are shown, and do not name it. */
export interface ReadTerm {
  /** Null when nothing of it can be used. */
  readonly condition: EntityCondition | null;
  readonly reasons: readonly string[];
}

const dayMs = 86_400_000;
const longestText = 500;

/** Reads one term (resolved-intel 4.3); a value that cannot be used makes the whole of it an error. */
export function readEntityTerm(term: EntityTermText): ReadTerm {
  const { key, body, isOpen } = term;
  if (key === null) return readText(body);
  if (key === 're') return readPattern(body, isOpen);
  if (key === 'in') return readSet(term);
  const values = splitValues(body);
  if (values.length === 0) return failed('needs a value');
  return readKey(key, values);
}

function readKey(key: EntitySearchKey, values: readonly string[]): ReadTerm {
  switch (key) {
    case 'tag':
      return readTags(values);
    case 'label':
      return readLabels(values);
    case 'attr':
      return read(values, readAttribute, (found) => ({ key, values: found }));
    case 'type':
      return read(values, readType, (found) => ({ key, values: found }));
    case 'list':
      if (values.length > 1) return failed('takes one list; write list:a OR list:b for either');
      return /^[a-z0-9_]{1,50}$/.test(values[0]!.toLowerCase())
        ? { condition: { key, name: values[0]!.toLowerCase() }, reasons: [] }
        : failed(`“${values[0]}” is no name of a list; they have the characters a–z, 0–9 and _ only`);
    case 'job': {
      const most = entitySearchLimits.jobs;
      const ids = read(values.slice(0, most), readId, (found) => ({ key, values: found }));
      return values.length > most ? withReason(ids, `only the first ${most} jobs are looked at`) : ids;
    }
    case 'cidr':
      if (values.length > entitySearchLimits.networks)
        return failed(`takes ${entitySearchLimits.networks} networks at most; a list holds more`);
      return read(values, readNetwork, (found) => ({ key, values: found }));
    case 'seen':
    case 'first':
      return read(values, readMoments, (found) => ({ key, values: found }));
    case 'jobs':
      return read(values, readAmount, (found) => ({ key, values: found }));
    case 'is':
    case 'has':
      return read(values, oneOfTraits(key), (found) => ({ key, values: found }));
  }
}

/** The values of a comma list, trimmed; those with commas or blanks may stand in quotes. */
export function splitValues(body: string): string[] {
  const pieces = body.match(/"[^"]*"?|[^,"]+|,/g) ?? [];
  const values = [''];
  for (const piece of pieces) {
    if (piece === ',') values.push('');
    else values[values.length - 1] += piece.startsWith('"') ? piece.replaceAll('"', '') : piece;
  }
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

function readText(body: string): ReadTerm {
  const text = body.trim().slice(0, longestText).toLowerCase();
  if (text === '') return failed('the quotes are empty; write a value in them');
  // Only beside a wildcard are ^ and $ anchors; elsewhere they are characters of a value.
  const hasWildcard = text.includes('*');
  const atStart = hasWildcard && text.startsWith('^');
  const atEnd = hasWildcard && text.endsWith('$');
  const parts = text.slice(atStart ? 1 : 0, atEnd ? -1 : undefined).split(/\*+/);
  return { condition: { key: 'value', parts, atStart, atEnd }, reasons: [] };
}

function readPattern(pattern: string, isOpen: boolean): ReadTerm {
  const { patternLength } = entitySearchLimits;
  if (isOpen) return failed('the regular expression has no end; write re:/…/');
  if (pattern === '') return failed('the regular expression is empty');
  if (pattern.length > patternLength) return failed(`a regular expression has ${patternLength} characters at most`);
  const written = pattern.replaceAll('\\/', '/');
  const problem = patternProblem(written);
  return problem === null
    ? { condition: { key: 're', pattern: written }, reasons: [] }
    : failed(`“${pattern}” cannot be used as a regular expression: ${problem}`);
}

function readSet({ body, isOpen }: EntityTermText): ReadTerm {
  const values = [...new Set(splitValues(body).map((value) => value.slice(0, longestText).toLowerCase()))];
  if (isOpen) return failed('has no closing parenthesis; write in:(a,b)');
  if (values.length === 0) return failed('needs values in parentheses, as in:(a,b)');
  if (values.length > entitySearchLimits.values)
    return failed(`takes ${entitySearchLimits.values} values at most; put more into a list, and write list:name`);
  return { condition: { key: 'in', values }, reasons: [] };
}

function readTags(values: readonly string[]): ReadTerm {
  const names = [...new Set(values.map(tagPattern))].filter((name) => name !== '' && name !== '/');
  if (names.length === 0) return failed('needs the name of a tag');
  const most = entitySearchLimits.tags;
  const reasons = names.length > most ? [`only the first ${most} tags of tag: are looked for`] : [];
  return { condition: { key: 'tag', values: names.slice(0, most) }, reasons };
}

/** A tag's name, or with a slash at its end how names of a namespace begin. */
function tagPattern(text: string): string {
  return text.endsWith('/') ? `${tagName(text.slice(0, -1)).slice(0, tagLimits.length - 1)}/` : tagName(text);
}

function readLabels(values: readonly string[]): ReadTerm {
  const attributes = values.map(entityAttributeKey).filter((key) => key !== null);
  const tags = values.filter((value) => entityAttributeKey(value) === null).map(tagPattern);
  return { condition: { key: 'label', attributes, tags: tags.slice(0, entitySearchLimits.tags) }, reasons: [] };
}

function readAttribute(text: string): Read<ReturnType<typeof entityAttributeKey> & string> {
  const value = entityAttributeKey(text);
  const known = [...entityCategories, ...entityFlags].join(', ');
  return value === null ? { reason: `“${text}” is no attribute; there are ${known}` } : { value, text: value };
}

function readType(text: string): Read<EntityType> {
  const value = entityTypeNamed(text);
  return value === null
    ? { reason: `“${text}” is no type of entity; use ${entityTypes.join(', ')}` }
    : { value, text: value };
}

function readNetwork(text: string): Read<NonNullable<ReturnType<typeof networkRange>>> {
  const value = networkRange(text);
  return value === null
    ? { reason: `“${text}” is no network; write one like 10.0.0.0/8, fe80::/10 or 192.0.2.7` }
    : { value, text };
}

function oneOfTraits<K extends keyof typeof entityTraits>(
  key: K,
): (text: string) => Read<(typeof entityTraits)[K][number]> {
  const known: readonly (typeof entityTraits)[K][number][] = entityTraits[key];
  return (text) => {
    const value = known.find((one) => one === text.toLowerCase());
    return value === undefined
      ? { reason: `“${text}” is nothing that ${key}: knows; use ${known.join(', ')}` }
      : { value, text: value };
  };
}

/** Days, times and spans: `2026-07-01` is that day, `<7d` less than a week ago, `7d` the same. */
function readMoments(text: string): Read<MomentRange> {
  const {
    operator = '',
    one,
    low = '',
    high = '',
  } = /^(?:(?<low>[^<>=]+?)\.\.(?<high>.+)|(?<operator>>=|<=|>|<|=)?(?<one>.+))$/.exec(text)?.groups ?? {};
  const [from, to] = [readMoment(one ?? low), readMoment(one ?? high)];
  const bad = 'reason' in from ? from : 'reason' in to ? to : null;
  if (bad !== null || 'reason' in from || 'reason' in to)
    return { reason: `“${text}” is no time; write >=2026-07-01, <7d, 2026-07-01..2026-07-31 or 1d..7d` };
  if ('agoMs' in from.value !== 'agoMs' in to.value) return { reason: `“${text}” mixes a date and a span` };
  const value = one === undefined ? between(from.value, to.value) : around(operator, from.value, endOf(from));
  return { value, text };
}

/** The end of a day that is written without a time, of a minute with one, and a span itself. */
function endOf({ value, text }: { readonly value: SearchMoment; readonly text: string }): SearchMoment {
  if ('agoMs' in value) return value;
  return { at: new Date(Date.parse(value.at) + (text.includes(':') ? 60_000 : dayMs)).toISOString() };
}

function around(operator: string, start: SearchMoment, end: SearchMoment): MomentRange {
  // A longer span lies further back, so that what is less than a week ago came after it.
  if ('agoMs' in start) return operator.startsWith('>') ? { from: null, to: start } : { from: start, to: null };
  if (operator === '>=') return { from: start, to: null };
  if (operator === '>') return { from: end, to: null };
  if (operator === '<') return { from: null, to: start };
  if (operator === '<=') return { from: null, to: end };
  return { from: start, to: end };
}

function between(low: SearchMoment, high: SearchMoment): MomentRange {
  if ('agoMs' in low) return { from: high, to: low };
  return { from: low, to: endOf({ value: high, text: '' }) };
}

function read<V>(
  texts: readonly string[],
  reader: (text: string) => Read<V>,
  make: (values: readonly V[]) => EntityCondition,
): ReadTerm {
  const values: V[] = [];
  const reasons: string[] = [];
  for (const found of texts.map(reader)) {
    if ('reason' in found) reasons.push(found.reason);
    else values.push(found.value);
  }
  return { condition: reasons.length > 0 ? null : make([...new Set(values)]), reasons };
}

function withReason(term: ReadTerm, reason: string): ReadTerm {
  return { ...term, reasons: [...term.reasons, reason] };
}

function failed(reason: string): ReadTerm {
  return { condition: null, reasons: [reason] };
}
