import * as fc from 'fast-check';
import type { JsonObject } from '../readers/json/json-value.ts';

const blank = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n  ');
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom('\\u0041', '\\/', '\\"', '\\\\', '\\ud83d\\ude00', '\\uD800', '\\u0000', 'C:\\\\x', 'é', '\u007f'),
);
const stringToken = fc.array(piece, { maxLength: 3 }).map((pieces) => `"${pieces.join('')}"`);
const numberToken = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e5',
    '-1.5E-3',
    '1E+2',
    '1e400',
    '0.10',
    '9007199254740993',
    '12345678901234567890.5',
  ),
);
const keyToken = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"\\u0061"', '"__proto__"', '""', '"1"', '"Event"', '"#text"'),
  // V8 13.6 takes a key spelt \\u0061 for a key of one backslash that it has met in the same place before.
  stringToken.filter((token) => !token.startsWith('"\\\\')),
);

const { object } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(stringToken, numberToken, fc.constantFrom('true', 'false', 'null', '""')),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(
      fc.tuple(blank, tie('value'), blank).map((parts) => parts.join('')),
      { maxLength: 4 },
    )
    .map(within('[', ']')),
  object: fc
    .array(
      fc.tuple(blank, keyToken, blank, fc.constant(':'), blank, tie('value'), blank).map((parts) => parts.join('')),
      { maxLength: 5 },
    )
    .map(within('{', '}')),
}));

/** Texts of JSON objects, spelt in all ways that JSON allows. */
export const jsonObjects: fc.Arbitrary<string> = object;

/** Bytes of a text with a few of them changed, left out or put in. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.nat(),
    by: fc.constantFrom('change', 'remove', 'insert', 'cut'),
    byte: fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(...new TextEncoder().encode('{}[],:"\\0u-.eE\n ')),
    ),
  });
  return fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 3 })).map(([given, changes]) => {
    const bytes = [...new TextEncoder().encode(given)];
    for (const { at, by, byte } of changes) {
      const place = at % (bytes.length + 1);
      if (by === 'cut') bytes.length = place;
      else bytes.splice(place, by === 'insert' ? 0 : 1, ...(by === 'remove' ? [] : [byte]));
    }
    return Uint8Array.from(bytes);
  });
}

function within(open: string, close: string): (items: readonly string[]) => string {
  return (items) => `${open}${items.join(',')}${close}`;
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What `JSON.parse` makes of an object, integers too long for a number as text; undefined where it is none. */
export function parsedExactly(text: string): JsonObject | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    JSON.parse(text);
    return decoded(JSON.parse(text.replace(token, plainly))) as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * Texts without escapes: V8 13.6 takes an escaped name for one that an object before had in the same place when
 * it is spelt like that one's beginning. Long integers become texts.
 */
function plainly(spelt: string): string {
  if (spelt.startsWith('"')) return hexText(JSON.parse(spelt) as string);
  return /^-?\d+$/.test(spelt) && !Number.isSafeInteger(Number(spelt)) ? hexText(spelt) : spelt;
}

function hexText(text: string): string {
  const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  // A letter before, since objects sort names that are numbers.
  return `"x${units.join('')}"`;
}

function decoded(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.slice(1).replace(/..../g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)));
  }
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [decoded(name), decoded(one)]));
}
