import { cidrMask } from './cidr.ts';
import { base64, base64Offsets, wideText } from './encodings.ts';
import { allOf, anyOf, type Expression, not, type ValueTest } from './expression.ts';
import { type Chain, noModifiers, parseChain } from './modifier-chain.ts';
import { ANY, dashVariants, parsePattern, type Piece, plainText, withDashClasses } from './pattern.ts';
import { expandPlaceholders } from './placeholders.ts';
import { RuleError } from './problem.ts';
import { prepareRegex } from './prepared-regex.ts';
import { checkRegex } from './regex.ts';
import type { RuleContext } from './rule-context.ts';

/** A value of a rule: an integer is a bigint, any other number a float. */
type Scalar = string | number | bigint | boolean | null;

/** Compiles one item of a detection, `field|modifier|…: value` (detection-engine 1.3.3, 1.4). */
export function compileItem(key: string, value: unknown, context: RuleContext): Expression {
  const [name = '', ...names] = key.split('|');
  const field = name === '' ? null : name;
  const chain = parseChain(key, names);
  if (field === null) checkKeyword(chain);
  if (!Array.isArray(value)) {
    if (chain.on.has('all') && !chain.on.has('expand')) context.warn(`“${key}”: all on a single value does nothing`);
    return negated(chain, compileValue(field, chain, scalar(chain, value), context));
  }
  const values = value as unknown[];
  if (values.length === 0) throw new RuleError(`“${key}” has an empty list`);
  if (chain.on.has('exists')) throw new RuleError(`“${key}” takes true or false`);
  if (chain.on.has('all') && values.length === 1 && !chain.on.has('expand')) {
    context.warn(`“${key}”: all on a single value does nothing`);
  }
  const tested = values.map((one, index) =>
    context.within(index, () => {
      if (one === null && values.length > 1) context.warn(`“${key}” has null in a list`);
      return compileValue(field, chain, scalar(chain, one), context);
    }),
  );
  return negated(chain, chain.on.has('all') ? allOf(tested) : anyOf(tested));
}

/** A bare text or number: a keyword (1.3.5). */
export function compileKeyword(value: unknown, context: RuleContext): Expression {
  return compileValue(null, noModifiers, scalar(noModifiers, value), context);
}

function negated(chain: Chain, expression: Expression): Expression {
  return chain.on.has('neq') ? not(expression) : expression;
}

function scalar(chain: Chain, value: unknown): Scalar {
  if (value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return value as Scalar;
  throw new RuleError(`${nameOf(chain)} has a value that is neither text, number, boolean nor null`);
}

function nameOf({ key }: Chain): string {
  return key === '' ? 'A keyword' : `“${key}”`;
}

function checkKeyword({ key, on, comparison, datePart }: Chain): void {
  if (on.has('cidr') || on.has('fieldref') || on.has('exists') || comparison !== undefined || datePart !== undefined) {
    throw new RuleError(`“${key}”: this needs a field`);
  }
}

function compileValue(field: string | null, chain: Chain, value: Scalar, context: RuleContext): Expression {
  context.spend(1);
  const test = (one: ValueTest): Expression => ({ kind: 'test', field, test: one });
  if (chain.on.has('exists')) return exists(test, chain, value);
  if (chain.comparison !== undefined || chain.datePart !== undefined) return test(numberTest(chain, value));
  if (value === null) {
    if (field === null) throw new RuleError('A keyword cannot be null');
    if (!isPlain(chain)) throw new RuleError(`“${chain.key}” cannot be null`);
    return test({ kind: 'null' });
  }
  const text = String(value);
  if (chain.on.has('re')) return test(regexTest(chain, text));
  if (chain.on.has('cidr')) return test(cidrTest(chain, text, context));
  if (chain.on.has('fieldref')) return test(fieldTest(chain, text));
  const exact = field === null || !isPlain(chain) || chain.on.has('cased') ? null : exactTest(value);
  if (exact !== null) return test(exact);
  const variants = chain.on.has('expand') ? expandPlaceholders(text, (name) => context.valuesOf(name)) : [text];
  context.spend(variants.length - 1);
  const patterns = variants.flatMap((variant) => patternsOf(chain, variant));
  return anyOf(
    patterns.map((pieces) =>
      test({ kind: 'pattern', pieces: placed(field, chain, pieces), cased: chain.on.has('cased') }),
    ),
  );
}

/** Whether a value stands as it is written: no modifier but `all`, `neq` and `cased`. */
function isPlain({ on, placement, encoding, wide }: Chain): boolean {
  const changes = on.has('windash') || on.has('expand') || on.has('re') || on.has('cidr') || on.has('fieldref');
  return !changes && placement === undefined && encoding === undefined && wide === undefined;
}

/** What YAML 1.1 takes for a boolean, and so do programs that read rules by it. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['true', true],
  ['no', false],
  ['off', false],
  ['false', false],
]);

function exists(test: (one: ValueTest) => Expression, chain: Chain, value: Scalar): Expression {
  const asked = typeof value === 'boolean' ? value : truths.get(String(value).toLowerCase());
  if (asked === undefined) throw new RuleError(`“${chain.key}” takes true or false`);
  return asked ? test({ kind: 'exists' }) : not(test({ kind: 'exists' }));
}

function numberTest({ key, comparison, datePart }: Chain, value: Scalar): ValueTest {
  const isText = typeof value === 'string' && value.trim() !== '';
  const than = isText || typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
  if (Number.isNaN(than)) throw new RuleError(`“${key}” needs a number`);
  if (datePart !== undefined) return { kind: 'date', part: datePart, op: comparison ?? 'eq', than };
  return { kind: 'number', op: comparison!, than };
}

/** Values that do not compare as patterns (1.3.2); null for those that do. */
function exactTest(value: Exclude<Scalar, null>): ValueTest | null {
  if (value === '') return { kind: 'empty' };
  if (typeof value === 'bigint') return { kind: 'integer', text: String(value) };
  return typeof value === 'number' ? { kind: 'number', op: 'eq', than: value } : null;
}

function regexTest({ key, regexFlags, placement }: Chain, written: string): ValueTest {
  const source = anchored(placement, written);
  const refused = checkRegex(source, regexFlags);
  if (refused !== null) throw new RuleError(`“${key}”: the regular expression ${refused}`);
  return { kind: 'regex', ...prepareRegex(source, regexFlags) };
}

/** An expression that is to stand at an end of the value; anywhere in it is how all are searched. */
function anchored(placement: Chain['placement'], written: string): string {
  if (placement === undefined || placement === 'contains') return written;
  const [, inline = '', rest = ''] = /^((?:\(\?[ims]+\))?)([^]*)$/.exec(written) ?? [];
  return placement === 'startswith' ? `${inline}^(?:${rest})` : `${inline}(?:${rest})$`;
}

function cidrTest({ key }: Chain, network: string, context: RuleContext): ValueTest {
  const mask = cidrMask(network);
  if (mask === null) throw new RuleError(`“${key}”: ${network} is not a network`);
  if (mask.hostBits) context.warn(`“${key}”: ${network} has host bits set; they are ignored`);
  return { kind: 'cidr', network };
}

function fieldTest({ key, placement, on }: Chain, other: string): ValueTest {
  if (other === '' || /[*?]/.test(other)) throw new RuleError(`“${key}”: the other field has no plain name`);
  return { kind: 'fieldref', other, mode: placement ?? 'equals', cased: on.has('cased') };
}

/** The patterns of one value, its ends still as written: dashes and encodings (1.4). */
function patternsOf({ key, on, encoding, wide }: Chain, text: string): readonly (readonly Piece[])[] {
  const pieces = parsePattern(text);
  const dashed = on.has('windash') ? withDashClasses(pieces) : pieces;
  if (encoding === undefined && wide === undefined) return [dashed];
  const plain = plainText(dashed);
  if (plain === null) throw new RuleError(`“${key}”: an encoded value cannot have wildcards`);
  const variants = dashVariants(plain);
  if (variants === null) throw new RuleError(`“${key}”: an encoded value has too many dashes to vary`);
  return variants.flatMap((variant) => {
    const bytes = wide === undefined ? new TextEncoder().encode(variant) : wideText(variant, wide);
    if (encoding === 'base64offset') {
      // Of a single byte, nothing is certain at one of the places: every value would match.
      if (bytes.length < 2) throw new RuleError(`“${key}”: base64offset needs at least two bytes`);
      return base64Offsets(bytes).map((one) => [one]);
    }
    return [[encoding === 'base64' ? base64(bytes) : latin(bytes)]];
  });
}

/** One character per byte, as a text would show them. */
function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** The pattern with a wildcard at the ends that are open and have none yet. */
function placed(field: string | null, { placement }: Chain, pieces: readonly Piece[]): readonly Piece[] {
  const where = field === null ? (placement ?? 'contains') : placement;
  const before: Piece[] = (where === 'contains' || where === 'endswith') && pieces[0] !== ANY ? [ANY] : [];
  const after: Piece[] = (where === 'contains' || where === 'startswith') && pieces.at(-1) !== ANY ? [ANY] : [];
  return pieces.length === 0 && where !== undefined ? [ANY] : [...before, ...pieces, ...after];
}
