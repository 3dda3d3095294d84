import { cidrMask } from './cidr.ts';
import { base64, base64Offsets, wideText } from './encodings.ts';
import { allOf, anyOf, not, type Comparison, type DatePart, type Expression, type ValueTest } from './expression.ts';
import { ANY, parsePattern, plainText, withDashClasses, type Piece } from './pattern.ts';
import { expandPlaceholders, type Placeholders } from './placeholders.ts';
import { RuleError } from './problem.ts';
import { checkRegex } from './regex.ts';

const comparisons = new Set(['lt', 'lte', 'gt', 'gte']);
const dateParts = new Set(['minute', 'hour', 'day', 'week', 'month', 'year']);
const wideEncodings = new Set(['wide', 'utf16le', 'utf16be', 'utf16']);
const regexFlags: Readonly<Record<string, string>> = {
  i: 'i',
  ignorecase: 'i',
  m: 'm',
  multiline: 'm',
  s: 's',
  dotall: 's',
};
const plainModifiers =
  'contains startswith endswith all re windash cidr base64 base64offset cased exists neq fieldref expand';
const known = new Set([
  ...plainModifiers.split(' '),
  ...comparisons,
  ...dateParts,
  ...wideEncodings,
  ...Object.keys(regexFlags),
]);

type Scalar = string | number | boolean | null;

/** What a chain of modifiers says, read once. */
interface Chain {
  readonly names: readonly string[];
  has(name: string): boolean;
}

export interface ItemContext {
  readonly placeholders: Placeholders;
  readonly warn: (message: string) => void;
}

/** Compiles one item of a detection, `field|modifier|…: value` (detection-engine 1.3.3, 1.4). */
export function compileItem(key: string, value: unknown, context: ItemContext): Expression {
  const [field = '', ...names] = key.split('|');
  const chain: Chain = { names, has: (name) => names.includes(name) };
  checkChain(key, chain, value);
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  if (values.length === 0) throw new RuleError(`“${key}” has an empty list`, key);
  if (names.includes('all') && values.length === 1 && !names.includes('expand')) {
    context.warn(`“${key}”: all on a single value does nothing`);
  }
  const tested = values.map((one) => compileValue(field === '' ? null : field, chain, scalar(key, one), context));
  const joined = chain.has('all') ? allOf(tested) : anyOf(tested);
  return chain.has('neq') ? not(joined) : joined;
}

/** A bare text or number in a list: a keyword (1.3.5). */
export function compileKeyword(value: unknown, context: ItemContext): Expression {
  return compileValue(null, { names: [], has: () => false }, scalar('keywords', value), context);
}

function scalar(key: string, value: unknown): Scalar {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar;
  throw new RuleError(`“${key}” has a value that is neither text, number, boolean nor null`, key);
}

function checkChain(key: string, chain: Chain, value: unknown): void {
  const { names } = chain;
  const refuse = (reason: string): never => {
    throw new RuleError(`“${key}”: ${reason}`, key);
  };
  for (const [at, name] of names.entries()) {
    if (!known.has(name)) refuse(`unknown modifier ${name}`);
    if (names.indexOf(name) !== at) refuse(`modifier ${name} is given twice`);
  }
  const rest = names.filter((name) => !['all', 'neq'].includes(name));
  const only = (name: string, ...allowed: string[]): void => {
    if (!chain.has(name)) return;
    const extra = rest.find((other) => other !== name && !allowed.includes(other));
    if (extra !== undefined) refuse(`${extra} cannot be combined with ${name}`);
  };
  only('re', 'contains', ...Object.keys(regexFlags));
  only('cidr');
  only('fieldref', 'contains', 'startswith', 'endswith', 'cased');
  for (const name of comparisons) only(name, ...dateParts);
  for (const name of dateParts) only(name, ...comparisons);
  if (rest.some((name) => regexFlags[name] !== undefined) && rest[0] !== 're') refuse('a flag must follow re');
  if (chain.has('exists') && (names.length > 1 || typeof value !== 'boolean' || key.startsWith('|'))) {
    refuse('exists takes a field, true or false, and no other modifier');
  }
  if (['contains', 'startswith', 'endswith'].filter((name) => chain.has(name)).length > 1) {
    refuse('only one of contains, startswith and endswith can be given');
  }
  if (chain.has('base64') && chain.has('base64offset')) refuse('base64 cannot be combined with base64offset');
  const encodings = rest.filter((name) => wideEncodings.has(name));
  if (encodings.length > 1) refuse('only one of wide, utf16, utf16le and utf16be can be given');
  const place = rest.findIndex((name) => name.startsWith('base64'));
  if (encodings[0] !== undefined && place >= 0 && rest.indexOf(encodings[0]) > place) {
    refuse(`${encodings[0]} must stand before ${rest[place]}`);
  }
  if (
    key.startsWith('|') &&
    (chain.has('cidr') || chain.has('fieldref') || rest.some((name) => comparisons.has(name)))
  ) {
    refuse('a keyword cannot be tested like this');
  }
}

function compileValue(field: string | null, chain: Chain, value: Scalar, context: ItemContext): Expression {
  const test = (one: ValueTest): Expression => ({ kind: 'test', field, test: one });
  const key = [field ?? '', ...chain.names].join('|');
  if (chain.has('exists')) return value === true ? test({ kind: 'exists' }) : not(test({ kind: 'exists' }));
  const part = chain.names.find((name) => dateParts.has(name)) as DatePart | undefined;
  const op = chain.names.find((name) => comparisons.has(name)) as Comparison | undefined;
  if (part !== undefined || op !== undefined) {
    const than = typeof value === 'number' ? value : Number(value ?? Number.NaN);
    if (Number.isNaN(than) || value === '') throw new RuleError(`“${key}” needs a number`, key);
    if (part === undefined) return test({ kind: 'number', op: op!, than });
    return test({ kind: 'date', part, op: op ?? 'eq', than });
  }
  if (value === null) {
    if (chain.names.some((name) => !['all', 'neq', 'cased'].includes(name))) {
      throw new RuleError(`“${key}” cannot be null`, key);
    }
    if (field === null) throw new RuleError('A keyword cannot be null', key);
    return test({ kind: 'null' });
  }
  const text = String(value);
  if (chain.has('re')) return test(regexTest(key, chain, text));
  if (chain.has('cidr')) return test(cidrTest(key, text, context));
  if (chain.has('fieldref')) return test(fieldTest(key, chain, text));
  const variants = chain.has('expand') ? expandPlaceholders(text, context.placeholders) : [text];
  return anyOf(variants.map((variant) => textTests(field, chain, variant, value, key)));
}

function regexTest(key: string, chain: Chain, source: string): ValueTest {
  const flags = [...new Set(chain.names.flatMap((name) => regexFlags[name] ?? []))].join('');
  const refused = checkRegex(source, flags);
  if (refused !== null) throw new RuleError(`“${key}”: regular expression ${refused}`, key);
  return { kind: 'regex', source, flags };
}

function cidrTest(key: string, network: string, { warn }: ItemContext): ValueTest {
  const mask = cidrMask(network);
  if (mask === null) throw new RuleError(`“${key}”: ${network} is not a network`, key);
  if (mask.hostBits) warn(`“${key}”: ${network} has host bits set; they are ignored`);
  return { kind: 'cidr', network };
}

function fieldTest(key: string, chain: Chain, other: string): ValueTest {
  if (/[*?]/.test(other)) throw new RuleError(`“${key}”: a referenced field name cannot have wildcards`, key);
  const mode = (['contains', 'startswith', 'endswith'] as const).find((name) => chain.has(name)) ?? 'equals';
  return { kind: 'fieldref', other, mode, cased: chain.has('cased') };
}

/** All that becomes a pattern: wildcards, dashes and encodings (1.4). */
function textTests(field: string | null, chain: Chain, text: string, value: Scalar, key: string): Expression {
  const cased = chain.has('cased');
  const pattern = (pieces: readonly Piece[]): Expression => ({
    kind: 'test',
    field,
    test: { kind: 'pattern', pieces: anchored(field, chain, pieces), cased },
  });
  const encoding = chain.names.find((name) => wideEncodings.has(name));
  if (encoding !== undefined || chain.has('base64') || chain.has('base64offset')) {
    const plain = plainText(parsePattern(text));
    if (plain === null) throw new RuleError(`“${key}”: an encoded value cannot have wildcards`, key);
    return anyOf(encoded(chain, encoding, plain).map((one) => pattern([one])));
  }
  const pieces = parsePattern(text);
  if (chain.has('windash')) return pattern(withDashClasses(pieces));
  const plainChain = chain.names.every((name) => ['all', 'neq', 'expand'].includes(name));
  if (field !== null && plainChain) {
    if (text === '') return { kind: 'test', field, test: { kind: 'empty' } };
    if (typeof value === 'number' && Number.isInteger(value)) {
      return { kind: 'test', field, test: { kind: 'integer', text } };
    }
    if (typeof value === 'number') return { kind: 'test', field, test: { kind: 'number', op: 'eq', than: value } };
  }
  return pattern(pieces);
}

function encoded(chain: Chain, encoding: string | undefined, plain: string): string[] {
  const bytes = encoding === undefined ? new TextEncoder().encode(plain) : wideText(plain, encoding);
  if (chain.has('base64offset')) return base64Offsets(bytes);
  if (chain.has('base64')) return [base64(bytes)];
  return [String.fromCharCode(...bytes)];
}

function anchored(field: string | null, chain: Chain, pieces: readonly Piece[]): Piece[] {
  const open = (at: number): boolean => pieces.at(at) !== ANY;
  const contains = field === null || chain.has('contains');
  const before: Piece[] = (contains || chain.has('endswith')) && open(0) ? [ANY] : [];
  const after: Piece[] = (contains || chain.has('startswith')) && open(-1) ? [ANY] : [];
  return pieces.length === 0 && before.length + after.length > 0 ? [ANY] : [...before, ...pieces, ...after];
}
