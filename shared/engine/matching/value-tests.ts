import { fold, type ValueTable } from '../events/value-table.ts';
import { ABSENT, NULL, type ValueId } from '../events/value-id.ts';
import { cidrMask, inNetwork } from '../sigma/cidr.ts';
import type { Comparison, DatePart, ValueTest } from '../sigma/expression.ts';
import { ANY, compilePattern, foldPattern, isAt, type Literal, literalOf, plainText } from '../sigma/pattern.ts';
import { compileRegex } from '../sigma/regex.ts';

/** Answers a test for one value, which may be a list or absent. */
export type ValuePredicate = (id: ValueId, values: ValueTable) => boolean;

/** Tests that look at the field as a whole; all others ask each of several values. */
type SingleTest = (id: ValueId, values: ValueTable) => boolean;

/** Compiles a test of one field's value; `fieldref` is not one and is compiled by the group. */
export function compileValueTest(test: Exclude<ValueTest, { kind: 'fieldref' }>): ValuePredicate {
  if (test.kind === 'exists') return (id) => id !== ABSENT;
  if (test.kind === 'null') {
    if (test.tells) return (id) => id === ABSENT || id === NULL;
    return (id, values) => id === ABSENT || id === NULL || (values.items(id) === undefined && values.text(id) === '');
  }
  const single = compileSingle(test);
  return (id, values) => {
    if (id === ABSENT) return false;
    const items = values.items(id);
    return items === undefined ? single(id, values) : holdsForAny(items, single, values);
  };
}

function holdsForAny(items: readonly ValueId[], single: SingleTest, values: ValueTable): boolean {
  return items.some((item) => single(item, values));
}

function compileSingle(test: Exclude<ValueTest, { kind: 'fieldref' | 'exists' | 'null' }>): SingleTest {
  switch (test.kind) {
    case 'empty':
      return (id, values) => values.text(id) === '';
    case 'pattern':
      return compileText(test);
    case 'integer':
      return compileInteger(test.text);
    case 'regex': {
      const sets = test.required.filter(({ length }) => length <= mostLookedFor);
      const required = sets.map((set) => set.map(fold));
      const matches = compileRegex(test.source, test.flags, test.native);
      return (id, values) => {
        if (required.length > 0 && !containsOneOfEach(values.folded(id), required)) return false;
        const found = matches(values.text(id));
        if (found === null) values.undecided++;
        return found === true;
      };
    }
    case 'cidr': {
      const network = cidrMask(test.network);
      return (id, values) => network !== null && inNetwork(network, values.text(id));
    }
    case 'number':
      return (id, values) => {
        const number = numberOf(values.text(id));
        return number !== null && compares(test.op, number, test.than);
      };
    case 'date':
      return (id, values) => {
        const part = datePart(values.text(id), test.part);
        return part !== null && compares(test.op, part, test.than);
      };
  }
}

/** More texts take as long to look for as the expression itself. */
const mostLookedFor = 6;

function containsOneOfEach(text: string, sets: readonly (readonly string[])[]): boolean {
  return sets.every((set) => set.some((literal) => text.includes(literal)));
}

const guid = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;

function compileText(test: Extract<ValueTest, { kind: 'pattern' }>): SingleTest {
  const { pieces, cased } = test;
  if (cased) {
    const matches = compilePattern(pieces);
    return (id, values) => matches(values.text(id));
  }
  if (pieces.length === 1 && pieces[0] === ANY) return () => true;
  const literal = foldedLiteral(test);
  if (literal !== null) return (id, values) => isAt(literal, values.folded(id));
  const plain = plainText(pieces);
  if (plain !== null && guid.test(plain)) {
    const bare = fold(plain).replace(/[{}]/g, '');
    return (id, values) => values.folded(id).replace(/^\{|\}$/g, '') === bare;
  }
  const matches = compilePattern(foldPattern(pieces));
  return (id, values) => matches(values.folded(id));
}

/** The literal that a folded text is held against; null for any other test, and for what has several spellings. */
export function foldedLiteral(test: ValueTest): Literal | null {
  if (test.kind !== 'pattern' || test.cased) return null;
  const literal = literalOf(test.pieces);
  if (literal === null) return null;
  const { text, head, tail } = literal;
  return !head && !tail && guid.test(text) ? null : { text: fold(text), head, tail };
}

/** A rule's integer equals its own text, and a hexadecimal value of the same magnitude (1.3.2). */
function compileInteger(text: string): SingleTest {
  return (id, values) => {
    const value = values.text(id);
    return value === text || (value.startsWith('0') && hexEquals(value, text));
  };
}

function hexEquals(hex: string, decimal: string): boolean {
  return hex.length <= 18 && /^0x[0-9a-f]+$/i.test(hex) && BigInt(hex).toString() === decimal;
}

function numberOf(text: string): number | null {
  if (!/^\s*[+-]?(?:0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/i.test(text)) return null;
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}

function compares(op: Comparison, left: number, right: number): boolean {
  switch (op) {
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'eq':
      return left === right;
  }
}

/** A part of a date as written, without conversion of zones; null when the text is no date. */
function datePart(text: string, part: DatePart): number | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?/.exec(text);
  const [year, month, day, hour, minute] = iso
    ? iso.slice(1, 6).map((digits) => Number(digits ?? 0))
    : countedTime(text);
  if (year === undefined) return null;
  const date = new Date(Date.UTC(year, month! - 1, day, hour, minute));
  if (date.getUTCDate() !== day || date.getUTCMinutes() !== minute) return null;
  if (part === 'week') return isoWeek(date);
  return { year, month, day, hour, minute }[part] ?? null;
}

const fileTimeOf1970 = 11_644_473_600_000;

/** Year to minute of seconds or milliseconds since 1970, or of 100 ns since 1601 (FILETIME). */
function countedTime(text: string): number[] {
  const digits = /^(\d{10}|\d{13}|\d{17,18})(?:\.\d+)?$/.exec(text)?.[1];
  if (digits === undefined) return [];
  const count = Number(digits);
  const milliseconds = { 10: count * 1000, 13: count }[digits.length] ?? count / 10_000 - fileTimeOf1970;
  const date = new Date(milliseconds);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
}

/** ISO 8601 week: that of the week's Thursday. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * 86_400_000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - first) / 604_800_000) + 1;
}
