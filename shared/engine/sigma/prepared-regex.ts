import type { NativePattern } from './native-regex.ts';
import { type LiteralSet, requiredLiterals } from './regex-literals.ts';
import { leadingFlags, nativePatternOf } from './regex.ts';

/** A pattern of a rule with what takes long to find out of it, so that it is found out once, when rules are loaded. Plain data. */
export interface PreparedRegex extends PreparedPart {
  /** What it is any of, where each of these tells by a few texts that a value does not match it; else none. */
  readonly parts: readonly PreparedPart[];
}

/** A pattern by itself. */
export interface PreparedPart {
  readonly source: string;
  readonly flags: string;
  /** As `requiredLiterals` says. */
  readonly required: readonly LiteralSet[];
  /** Null where the platform's matcher is not to search for it. */
  readonly native: NativePattern | null;
}

/** More texts take as long to look for as the expression itself. */
const mostLookedFor = 6;

/** @param source and flags of which `checkRegex` found nothing wrong. */
export function prepareRegex(source: string, flags: string): PreparedRegex {
  const alternatives = alternativesOf(source).map((one) => prepared(one, flags));
  const isWorthIt = alternatives.length > 1 && alternatives.every((one) => soonRequired(one).length > 0);
  return { ...prepared(source, flags), parts: isWorthIt ? alternatives : [] };
}

/** Of what a pattern requires, the sets that are sooner looked for than the pattern. */
export function soonRequired({ required }: PreparedPart): readonly LiteralSet[] {
  return required.filter(({ length }) => length <= mostLookedFor);
}

function prepared(source: string, flags: string): PreparedPart {
  return { source, flags, required: requiredLiterals(source), native: nativePatternOf(source, flags) };
}

/** The patterns of which a pattern is one or another, as they stand in it beside each other. */
function alternativesOf(source: string): string[] {
  const { pattern, inline } = leadingFlags(source);
  // Flags within a pattern hold for the alternatives behind them; quoted text, and a class behind a named one, have
  // signs that are none.
  if (/\(\?[a-z-]+\)|\\Q|\[:/i.test(pattern)) return [source];
  const head = inline === '' ? '' : `(?${inline})`;
  const alternatives: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]/gs)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === '|' && depth === 0) {
      alternatives.push(head + pattern.slice(start, index));
      start = index + 1;
    }
  }
  return [...alternatives, head + pattern.slice(start)];
}
