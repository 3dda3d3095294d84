import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { fold } from '../events/value-table.ts';
import type { DatePart, Expression, ValueTest } from '../sigma/expression.ts';
import { ANY, DASH, ONE, type Piece } from '../sigma/pattern.ts';

/** A record as an expression sees it. */
export interface RecordView {
  /** The texts of a field, null when it is absent. */
  texts(field: string): readonly string[] | null;
  /** Whether a field is absent or has no value, rather than an empty text. */
  isNull(field: string): boolean;
  /** The texts that keywords are searched in. */
  keywords(): readonly string[];
}

/**
 * Whether an expression holds for a record, the slow and plain way: no index, no memo, and the
 * host's regular expressions.
 */
export function expressionHolds(expression: Expression, view: RecordView): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'not':
      return !expressionHolds(expression.of, view);
    case 'all':
      return expression.of.every((part) => expressionHolds(part, view));
    case 'any':
      return expression.of.some((part) => expressionHolds(part, view));
    case 'test':
      return expression.field === null
        ? view.keywords().some((text) => passes(expression.test, text, view))
        : fieldPasses(expression.field, expression.test, view);
  }
}

function fieldPasses(field: string, test: ValueTest, view: RecordView): boolean {
  if (test.kind === 'null' && test.tells) return view.isNull(field);
  const texts = view.texts(field);
  if (test.kind === 'exists') return texts !== null;
  if (test.kind === 'null') return texts === null || (texts.length === 1 && texts[0] === '');
  return texts !== null && texts.some((text) => passes(test, text, view));
}

function passes(test: ValueTest, text: string, view: RecordView): boolean {
  switch (test.kind) {
    case 'empty':
      return text === '';
    case 'pattern':
      return patternRegExp(test).test(test.cased ? text : fold(text));
    case 'integer':
      return text === test.text || (/^0x[0-9a-f]{1,16}$/i.test(text) && BigInt(text) === BigInt(test.text));
    case 'regex':
      return hostRegExp(test).test(text);
    case 'cidr':
      return inBlock(test.network, text);
    case 'number':
      return text.trim() !== '' && compare(Number(text), test.op, test.than);
    case 'fieldref': {
      const others = view.texts(test.other);
      const same = (one: string): string => (test.cased ? one : fold(one));
      return others !== null && others.some((other) => relates(test.mode, same(text), same(other)));
    }
    case 'date':
      return compare(datePart(text, test.part), test.op, test.than);
    case 'exists':
    case 'null':
      throw new Error(`${test.kind} asks nothing of a single value`);
  }
}

const compiled = new WeakMap<ValueTest, RegExp>();

function patternRegExp(test: Extract<ValueTest, { kind: 'pattern' }>): RegExp {
  const known = compiled.get(test);
  if (known !== undefined) return known;
  const whole = test.pieces.length === 1 && typeof test.pieces[0] === 'string' ? test.pieces[0] : '';
  const guid = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/.exec(fold(whole))?.[1];
  const source = test.pieces.map((piece) => pieceSource(piece, test.cased)).join('');
  const made = new RegExp(guid === undefined || test.cased ? `^${source}$` : `^\\{?${guid}\\}?$`, 'u');
  // An open end needs no search: what follows does not matter.
  const open = made.source.replace(/^\^\[\^\]\*/, '').replace(/\[\^\]\*\$$/, '');
  const result = new RegExp(open, 'u');
  compiled.set(test, result);
  return result;
}

function pieceSource(piece: Piece, cased: boolean): string {
  if (piece === ANY) return '[^]*';
  if (piece === ONE) return '[^]';
  const literal = cased ? piece : fold(piece);
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(DASH, '[-/\\u2013\\u2014\\u2015]');
}

function hostRegExp(test: Extract<ValueTest, { kind: 'regex' }>): RegExp {
  const known = compiled.get(test);
  if (known !== undefined) return known;
  const inline = /^\(\?([ims]+)\)/.exec(test.source);
  const flags = new Set((test.flags + (inline?.[1] ?? '')).split(''));
  const result = new RegExp(test.source.slice(inline?.[0].length ?? 0), [...flags].join(''));
  compiled.set(test, result);
  return result;
}

function inBlock(network: string, text: string): boolean {
  const [address = '', prefix] = network.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  const plain = text.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return family === 'ipv4' && block.check(plain, 'ipv4');
  return isIPv6(plain) && family === 'ipv6' && block.check(plain, 'ipv6');
}

function datePart(text: string, part: DatePart): number {
  const unit = { 10: 1000, 13: 1, 17: 1e-4, 18: 1e-4 }[/^\d*$/.test(text) ? text.length : 0];
  const since = text.length > 13 ? Date.UTC(1601, 0, 1) : 0;
  const written = /^\d{4}-/.test(text) ? `${text.slice(0, 19)}Z` : 'no date';
  const date = new Date(unit === undefined ? written : Number(text) * unit + since);
  const parts: Record<Exclude<DatePart, 'week'>, number> = {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    year: date.getUTCFullYear(),
  };
  if (part !== 'week') return parts[part];
  // The week belongs to the year of its Thursday; count Thursdays from January on.
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * 86_400_000);
  let week = 0;
  const each = new Date(thursday);
  while (each.getUTCFullYear() === thursday.getUTCFullYear()) {
    week++;
    each.setUTCDate(each.getUTCDate() - 7);
  }
  return week;
}

function compare(left: number, op: 'lt' | 'lte' | 'gt' | 'gte' | 'eq', right: number): boolean {
  return { lt: left < right, lte: left <= right, gt: left > right, gte: left >= right, eq: left === right }[op];
}

function relates(mode: 'equals' | 'contains' | 'startswith' | 'endswith', text: string, part: string): boolean {
  return {
    equals: text === part,
    contains: text.includes(part),
    startswith: text.startsWith(part),
    endswith: text.endsWith(part),
  }[mode];
}
