import * as fc from 'fast-check';
import { ValueTable } from '../events/value-table.ts';
import { ABSENT } from '../events/value-id.ts';
import { compileValueTest } from '../matching/value-tests.ts';
import type { Expression, ValueTest } from '../sigma/expression.ts';
import { ANY, DASH, ONE, type Piece } from '../sigma/pattern.ts';

/** Values of fields; texts that belong to no field lie under names that no rule uses. */
export type Data = Readonly<Record<string, string>>;

type Literal = Extract<Expression, { kind: 'test' }>;

/**
 * Data that may satisfy an expression, most promising first. Made from the expression's positive
 * tests; what is negated is left to chance, so each answer is to be tried.
 */
export function* satisfyingData(expression: Expression): Generator<Data> {
  const denied = deniedFields(expression);
  // Where absence is denied, a field must be there though nothing positive is asked of it.
  const present = Object.fromEntries(denied.map((field, number) => [field, `present ${number}`]));
  for (const wanted of choices(expression)) {
    for (const filler of ['', ' ', '_x_']) {
      const data = dataFor(wanted, filler);
      if (data === null) continue;
      yield data;
      yield { ...present, ...data };
    }
  }
}

/** The ways to choose tests that, all true, make the expression true; negations ask nothing. */
function* choices(expression: Expression): Generator<readonly Literal[]> {
  switch (expression.kind) {
    case 'test':
      yield [expression];
      break;
    case 'any':
      for (const part of expression.of) yield* choices(part);
      break;
    case 'all':
      yield* product(expression.of, 0);
      break;
    default:
      yield [];
  }
}

function* product(parts: readonly Expression[], at: number): Generator<readonly Literal[]> {
  if (at === parts.length) {
    yield [];
    return;
  }
  for (const rest of product(parts, at + 1)) {
    for (const one of choices(parts[at]!)) yield [...one, ...rest];
  }
}

function deniedFields(expression: Expression, denied = false): string[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'not':
      return deniedFields(expression.of, !denied);
    case 'test':
      return denied && expression.field !== null ? [expression.field] : [];
    default:
      return expression.of.flatMap((part) => deniedFields(part, denied));
  }
}

/** One value for each field that meets all that is wanted of it; null when none was found. */
function dataFor(wanted: readonly Literal[], filler: string): Data | null {
  const tests = new Map<string, ValueTest[]>();
  for (const [number, { field, test }] of wanted.entries()) {
    const name = field ?? `Text${number}`;
    tests.set(name, [...(tests.get(name) ?? []), test]);
    if (test.kind === 'fieldref') tests.set(test.other, tests.get(test.other) ?? []);
  }
  const data: Record<string, string> = {};
  for (const [name, list] of tests) {
    if (list.some(({ kind }) => kind === 'null')) continue;
    const value = valueFor(list, filler);
    if (value === null) return null;
    data[name] = value;
  }
  for (const { field, test } of wanted) {
    if (test.kind === 'fieldref' && field !== null) data[field] = data[test.other]!;
  }
  return data;
}

function valueFor(tests: readonly ValueTest[], filler: string): string | null {
  const checks = tests.flatMap((test) => (test.kind === 'fieldref' ? [] : [compileValueTest(test)]));
  const values = new ValueTable();
  const passes = (text: string): boolean => {
    const id = values.intern(text);
    return id !== ABSENT && checks.every((check) => check(id, values));
  };
  for (const candidate of candidates(tests, filler)) if (passes(candidate)) return candidate;
  return null;
}

/** Texts that may pass all tests: first those a single test asks for, then what joins them all. */
function* candidates(tests: readonly ValueTest[], filler: string): Generator<string> {
  const heads: string[] = [];
  const middles: string[] = [];
  const tails: string[] = [];
  const samples: string[][] = [];
  for (const test of tests) {
    if (test.kind === 'pattern') {
      yield concrete(test.pieces, filler);
      const parts = chunks(test.pieces);
      if (test.pieces[0] !== ANY && test.pieces.at(-1) !== ANY) continue;
      if (test.pieces[0] !== ANY) heads.push(parts.shift()!);
      if (test.pieces.at(-1) !== ANY) tails.push(parts.pop()!);
      middles.push(...parts);
    } else if (test.kind === 'regex') {
      samples.push(regexSamples(test.source));
    } else {
      yield single(test);
    }
  }
  const joined = (...parts: readonly string[]): string =>
    [longest(heads), ...parts, longest(tails) || filler].filter((part) => part !== '').join(filler);
  yield joined(...middles);
  yield joined(...middles.toReversed());
  for (let at = 0; at < 60 && samples.length > 0; at++) {
    const sampled = samples.map((list) => list[at % list.length]!);
    yield* sampled;
    yield joined(...sampled, ...middles);
    yield joined(...middles, ...sampled);
  }
  yield 'present';
}

function longest(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length > a.length ? b : a), '');
}

function single(test: ValueTest): string {
  switch (test.kind) {
    case 'integer':
      return test.text;
    case 'cidr':
      return test.network.split('/')[0]!;
    case 'number':
    case 'date':
      return String(test.than + { lt: -1, lte: 0, gt: 1, gte: 0, eq: 0 }[test.op]);
    case 'empty':
      return '';
    default:
      return 'present';
  }
}

function concrete(pieces: readonly Piece[], filler: string): string {
  return pieces.map((piece) => (piece === ANY ? filler : piece === ONE ? 'x' : piece.replaceAll(DASH, '-'))).join('');
}

/** What lies between the `*` of a pattern; empty at an end that is open. */
function chunks(pieces: readonly Piece[]): string[] {
  const found: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece === ANY) found.push([]);
    else found.at(-1)!.push(piece);
  }
  return found
    .map((part) => concrete(part, ''))
    .filter((text, at) => text !== '' || at === 0 || at === found.length - 1);
}

/** Texts that hold a match of a regular expression; look-around and word boundaries are left to chance. */
function regexSamples(source: string): string[] {
  const flags = /^\(\?([ims]+)\)/.exec(source);
  const plain = source
    .slice(flags?.[0].length ?? 0)
    .replace(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/\\b/g, '')
    .replace(/\(\?i\)/g, '');
  const sampled = fc.sample(fc.stringMatching(new RegExp(`^(?:${plain.replace(/^\^|\$$/g, '')})$`)), {
    numRuns: 60,
    seed: 1,
  });
  return sampled.toSorted((a, b) => a.length - b.length);
}
