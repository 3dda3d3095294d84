import { RE2JS } from 're2js';

/** Most of a value that a pattern with look-around may see, since those do not run in linear time. */
const lookAroundLimit = 4096;

/** A compiled regular expression of a rule: searches a text, unanchored. */
export type RegexTest = (text: string) => boolean;

/** Why a pattern cannot be used, or null (detection-engine 1.4.1). */
export function checkRegex(source: string, flags: string): string | null {
  if (source.length > 16_384) return 'is longer than 16,384 characters';
  if (/\(\?>/.test(source)) return 'has an atomic group';
  if (/(?<!\\)(?:\\\\)*[*+?}]\+/.test(withoutClasses(source))) return 'has a possessive quantifier';
  if (hasLookAround(source) && nestsQuantifiers(source)) return 'nests quantifiers beside look-around';
  try {
    compileRegex(source, flags);
    return null;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Compiles a pattern. Linear time by RE2; only look-around, which RE2 has not, goes to the host's
 * matcher, without nested quantifiers and over the first 4,096 characters of a value.
 */
export function compileRegex(source: string, flags: string): RegexTest {
  const { pattern, inline } = leadingFlags(translate(source));
  const all = new Set((flags + inline).split(''));
  if (hasLookAround(pattern)) {
    const host = new RegExp(pattern.replace(/\(\?P</g, '(?<'), [...all].join(''));
    return (text) => host.test(text.length > lookAroundLimit ? text.slice(0, lookAroundLimit) : text);
  }
  const bits =
    (all.has('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (all.has('m') ? RE2JS.MULTILINE : 0) |
    (all.has('s') ? RE2JS.DOTALL : 0);
  const compiled = RE2JS.compile(pattern, bits);
  return (text) => compiled.test(text);
}

/** Spellings of other dialects that RE2 does not know. */
function translate(source: string): string {
  return source.replace(/\\(.)/gs, (escape, char: string) => {
    if (char === 'h') return '[ \\t]';
    if (char === 'Z') return '(?:\\n?\\z)';
    return /[A-Za-z0-9]/.test(char) || char.charCodeAt(0) < 0x80 ? escape : char;
  });
}

function leadingFlags(source: string): { pattern: string; inline: string } {
  const found = /^(?:\(\?([ims]+)\))+/.exec(source);
  return found
    ? { pattern: source.slice(found[0].length), inline: found[0].replace(/[^ims]/g, '') }
    : { pattern: source, inline: '' };
}

function hasLookAround(source: string): boolean {
  return /\(\?<?[=!]/.test(source);
}

function withoutClasses(source: string): string {
  return source.replace(/\\./gs, '  ').replace(/\[[^\]]*\]/g, ' ');
}

function nestsQuantifiers(source: string): boolean {
  return /\([^()]*[*+}][^()]*\)[*+{]/.test(withoutClasses(source));
}

/**
 * The longest text that every match must contain, folded by the caller; empty when none is certain.
 * Looks only at the top level of the pattern, so it may miss one but never names a wrong one.
 */
export function requiredLiteral(source: string): string {
  const { pattern } = leadingFlags(source);
  if (hasAlternation(pattern)) return '';
  let best = '';
  let run = '';
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let i = 0; i < pattern.length;) {
    const { text, next } = element(pattern, i);
    const quantifier = /^(?:[*+?]|\{\d*(?:,\d*)?\})[?+]?/.exec(pattern.slice(next, next + 16))?.[0] ?? '';
    const optional = /^[*?]/.test(quantifier) || /^\{0?[,}]/.test(quantifier) || quantifier.startsWith('{0');
    if (text === null || optional) {
      end();
    } else {
      run += text;
      if (quantifier !== '') end();
    }
    i = next + quantifier.length;
  }
  end();
  return best;
}

/** One element at the top level: its literal text, or null when it is anything else. */
function element(pattern: string, at: number): { text: string | null; next: number } {
  const char = pattern[at]!;
  if (char === '\\') {
    const escaped = pattern[at + 1] ?? '';
    if (!/[A-Za-z0-9]/.test(escaped)) return { text: escaped, next: at + 2 };
    const braced = /^\\(?:[pPxu]\{[^}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP].|k<[^>]*>)/.exec(
      pattern.slice(at, at + 64),
    );
    return { text: null, next: at + (braced?.[0].length ?? 2) };
  }
  if (char === '[') return { text: null, next: classEnd(pattern, at) };
  if (char === '(') return { text: null, next: groupEnd(pattern, at) };
  return { text: '.^$)'.includes(char) ? null : char, next: at + 1 };
}

function classEnd(pattern: string, at: number): number {
  let i = at + 1;
  if (pattern[i] === '^') i++;
  if (pattern[i] === ']') i++;
  for (; i < pattern.length && pattern[i] !== ']'; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern.startsWith('[:', i)) i = Math.max(i, pattern.indexOf(':]', i) + 1);
  }
  return i + 1;
}

function groupEnd(pattern: string, at: number): number {
  let depth = 0;
  for (let i = at; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '[') i = classEnd(pattern, i) - 1;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i + 1;
  }
  return pattern.length;
}

function hasAlternation(pattern: string): boolean {
  for (let i = 0; i < pattern.length;) {
    if (pattern[i] === '|') return true;
    i = element(pattern, i).next;
  }
  return false;
}
