import { tagName } from '../tag.ts';
import type { AmountRange, SearchCondition, SearchMoment } from './conditions.ts';
import { foldedAddress } from './held-words.ts';
import { searchValues, type SearchKey } from './keys.ts';

/** Values of a key: the condition that the usable ones make, and why others are not usable. */
export interface ReadValues {
  /** Null when none is usable. */
  readonly condition: SearchCondition | null;
  /** The usable ones in the one spelling that each has. */
  readonly texts: readonly string[];
  readonly reasons: readonly string[];
}

/** A value that can be used, or why it cannot. */
export type Read<V> = { readonly value: V; readonly text: string } | { readonly reason: string };

const highestId = 2_147_483_647;
const hourMs = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };
/** A century back is before all logs, and still a date everywhere. */
const longestAgoMs = 36_525 * 24 * hourMs;

/** Reads the values of a key; empty ones count for nothing. */
export function readValues(key: SearchKey, typed: readonly string[]): ReadValues {
  const texts = typed.map((text) => text.trim()).filter((text) => text !== '');
  if (texts.length === 0) return { condition: null, texts: [], reasons: ['needs a value'] };
  switch (key) {
    case 'status':
      return read(texts, oneOf('state of a job', searchValues.status), (values) => ({ key, values }));
    case 'type':
      return read(texts, oneOf('type of log', searchValues.type), (values) => ({ key, values }));
    case 'sev':
      return read(texts, oneOf('severity', searchValues.sev), (values) => ({ key, values }));
    case 'is':
      return read(texts, oneOf('property of a job', searchValues.is), (values) => ({ key, values }));
    case 'tag':
      return read(texts, readTag, (values) => ({ key, values }));
    case 'workflow':
      return read(texts, usable, (values) => ({ key, values }));
    case 'tool':
      return read(texts, usable, (values) => ({ key, values }));
    case 'sha256':
      return read(texts, readDigest, (values) => ({ key, values }));
    case 'findings':
      return read(texts, readAmount, (values) => ({ key, values }));
    case 'after':
    case 'before':
      return read(texts, readMoment, (values) => ({ key, values }));
    case 'id':
      return read(texts, readId, (values) => ({ key, values }));
    case 'ip':
      return read(texts, readAddress, (values) => ({ key, values }));
    case 'hash':
      return read(texts, readHash, (values) => ({ key, values }));
    case 'technique':
      return read(texts, readTechnique, (values) => ({ key, values }));
    case 'rule':
    case 'host':
    case 'user':
    case 'program':
    case 'domain':
    case 'case':
      return read(texts, usable, (values) => ({ key, values }));
  }
}

function read<V>(
  typed: readonly string[],
  reader: (text: string) => Read<V>,
  make: (values: readonly V[]) => SearchCondition,
): ReadValues {
  const values = new Map<string, V>();
  const reasons: string[] = [];
  for (const one of typed.map(reader)) {
    if ('reason' in one) reasons.push(one.reason);
    else values.set(one.text, one.value);
  }
  return { condition: values.size === 0 ? null : make([...values.values()]), texts: [...values.keys()], reasons };
}

function usable<V extends string>(text: V): Read<V> {
  return { value: text, text };
}

function oneOf<V extends string>(what: string, known: readonly V[]): (text: string) => Read<V> {
  const words = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  return (text) => {
    const value = known.find((one) => one === text.toLowerCase());
    return value === undefined ? { reason: `“${text}” is no ${what}; use ${words}` } : usable(value);
  };
}

function readTag(text: string): Read<string> {
  const name = tagName(text);
  return name === '' ? { reason: `“${text}” is no tag` } : usable(name);
}

function readDigest(text: string): Read<string> {
  return /^[0-9a-f]{1,64}$/i.test(text)
    ? usable(text.toLowerCase())
    : { reason: `“${text}” is no beginning of a SHA-256; write up to 64 of the characters 0–9 and a–f` };
}

function readHash(text: string): Read<string> {
  return /^[0-9a-f]{1,128}$/i.test(text)
    ? usable(text.toLowerCase())
    : { reason: `“${text}” is no hash; write its characters 0–9 and a–f` };
}

function readAddress(text: string): Read<string> {
  const address = foldedAddress(text);
  return address === null
    ? { reason: `“${text}” is no address; write a whole one like 10.0.0.5 or fe80::1` }
    : usable(address);
}

function readTechnique(text: string): Read<string> {
  return /^t\d{4}(\.\d{3})?$/i.test(text)
    ? usable(text.toUpperCase())
    : { reason: `“${text}” is no technique; write its id like T1059 or T1059.001` };
}

/** The number of a job. */
export function readId(text: string): Read<number> {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= highestId
    ? { value, text: String(value) }
    : { reason: `“${text}” is no number of a job; write one like 42` };
}

/** An amount or a range of amounts. */
export function readAmount(text: string): Read<AmountRange> {
  const {
    operator = '',
    number = '',
    from = number,
    to = number,
  } = /^(?:(?<operator>>=|<=|>|<|=)?(?<number>\d+)|(?<from>\d+)\.\.(?<to>\d+))$/.exec(text)?.groups ?? {};
  const [low, high] = [Number(from), Number(to)];
  if (from === '') return { reason: `“${text}” is no amount; write 5, >100, <=20 or 10..50` };
  if (!Number.isSafeInteger(high) || !Number.isSafeInteger(low)) return { reason: `“${text}” is too large an amount` };
  if (low > high) return { reason: `“${text}” runs backwards; write ${high}..${low}` };
  return { value: rangeOf(operator, low, high), text: number === '' ? `${low}..${high}` : `${operator}${low}` };
}

function rangeOf(operator: string, low: number, high: number): AmountRange {
  if (operator === '>') return { min: low + 1, max: null };
  if (operator === '>=') return { min: low, max: null };
  if (operator === '<') return { min: 0, max: low - 1 };
  return { min: operator === '<=' ? 0 : low, max: high };
}

/** A time on the calendar, or so long ago. */
export function readMoment(text: string): Read<SearchMoment> {
  const [, count, unit = ''] = /^(\d+)([hdw])$/i.exec(text) ?? [];
  if (count !== undefined) {
    const agoMs = Number(count) * (unitMs[unit.toLowerCase()] ?? 0);
    if (agoMs > longestAgoMs) return { reason: `“${text}” is more than a hundred years ago` };
    return { value: { agoMs }, text: `${Number(count)}${unit.toLowerCase()}` };
  }
  const at = dateOf(text);
  return at === null
    ? { reason: `“${text}” is no time; write 24h, 7d, 2w, 2026-08-01 or "2026-08-01 10:15" (UTC)` }
    : { value: { at }, text: text.replace(/ +/, ' ') };
}

/** The date, at midnight unless it says a time, if there is such a day. */
function dateOf(text: string): string | null {
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?: +(\d\d:\d\d))?$/.exec(text) ?? [];
  if (day === undefined || day < '0001') return null;
  const at = new Date(`${day}T${time}:00Z`);
  // Days past the end of a month would roll over into the next one.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 16) !== `${day}T${time}` ? null : at.toISOString();
}
