import { RE2JS } from 're2js';
import { isAscii } from '../events/value-table.ts';
import { compileLookAround } from './look-around.ts';
import { type NativePattern, nativePattern } from './native-regex.ts';

const longestPattern = 16_384;
const mostInstructions = 5000;
/** Characters times instructions that one search may cost: 16,000 characters for a pattern of a thousand. */
const mostWork = 16_000_000;

/** A compiled regular expression: searches a text, unanchored; null when the bounds left it undecided. */
export type RegexTest = (text: string) => boolean | null;

/** Why a pattern cannot be used, or null (detection-engine 1.4.1). */
export function checkRegex(source: string, flags: string): string | null {
  if (source.length > longestPattern) return 'is longer than 16,384 characters';
  if (/\(\?>/.test(withoutClasses(source))) return 'has an atomic group';
  if (/(?:[*+?]|\{\d+(?:,\d*)?\})\+/.test(withoutClasses(source))) return 'has a possessive quantifier';
  try {
    const { pattern, inline } = leadingFlags(source);
    (hasLookAround(pattern) ? compileLookAround : compileLinear)(pattern, flags + inline);
    return null;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Compiles a pattern, when it is first needed, for a search of bounded time: by the platform's matcher
 * where it cannot take long, else by RE2, in linear time, or by a matcher of our own for look-around, which
 * RE2 has not. All are bounded, since linear time with a large factor is long as well.
 * @param given what `nativePatternOf` says, where that is known.
 */
export function compileRegex(source: string, flags: string, given?: NativePattern | null): RegexTest {
  const { pattern, inline } = leadingFlags(source);
  const all = flags + inline;
  if (hasLookAround(pattern)) return lazily(() => compileLookAround(pattern, all));
  const linear = lazily(() => compileLinear(pattern, all));
  return lazily(() => {
    const native = given === undefined ? nativePatternOf(source, flags) : given;
    if (native === null) return linear;
    const { longest } = native;
    const regex = new RegExp(native.source, native.flags);
    // Beyond ASCII, matchers differ in what letters are the same but for their case, and in half characters.
    return (text) => (text.length <= longest && isAscii(text) ? regex.test(text) : linear(text));
  });
}

/** The pattern for the platform's matcher; null where that is not to search for it. */
export function nativePatternOf(source: string, flags: string): NativePattern | null {
  const { pattern, inline } = leadingFlags(source);
  return hasLookAround(pattern) ? null : nativePattern(pattern, flags + inline, mostWork);
}

function lazily(compile: () => RegexTest): RegexTest {
  let compiled: RegexTest | undefined;
  return (text) => (compiled ??= compile())(text);
}

function compileLinear(pattern: string, flags: string): RegexTest {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const compiled = RE2JS.compile(translate(pattern), bits);
  const size = compiled.programSize();
  if (size > mostInstructions) throw new Error('the pattern is too large');
  const longest = Math.floor(mostWork / size);
  return (text) => {
    if (text.length <= longest) return compiled.test(text);
    // Without its end a text can only be said to match, and not even that where the end decides.
    return compiled.test(text.slice(0, longest)) && !/[$zZ]|\\b/i.test(pattern) ? true : null;
  };
}

/** Spellings of other dialects that RE2 does not know. */
function translate(source: string): string {
  let inClass = false;
  return source.replace(/\\(u[0-9A-Fa-f]{4}|.)|[[\]]/gs, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = found === '[' || (inClass && found !== ']');
      return found;
    }
    if (escaped === 'h') return inClass ? ' \\t' : '[ \\t]';
    // White space that RE2 knows lacks the vertical tab.
    if (escaped === 's') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
    if (escaped === 'S' && !inClass) return '[^\\t-\\r ]';
    if (escaped === 'Z') return '(?:\\n?\\z)';
    if (escaped === 'e') return '\\x1b';
    if (escaped.length > 1) return `\\x{${escaped.slice(1)}}`;
    return escaped.charCodeAt(0) < 0x80 ? found : escaped;
  });
}

/** The flags at the beginning of a pattern, and what is behind them. */
export function leadingFlags(source: string): { pattern: string; inline: string } {
  const found = /^(?:\(\?[ims]+\))+/.exec(source)?.[0] ?? '';
  return { pattern: source.slice(found.length), inline: found.replace(/[^ims]/g, '') };
}

function hasLookAround(source: string): boolean {
  return /\(\?<?[=!]/.test(withoutClasses(source));
}

/** The pattern with its escapes and classes blanked, to look for what is special. */
function withoutClasses(source: string): string {
  return source.replace(/\\(?:[pPx]\{[^}]*\}|.)/gs, '  ').replace(/\[\^?\]?[^\]]*\]/g, ' ');
}
