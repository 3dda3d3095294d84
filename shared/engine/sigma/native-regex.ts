import { searchEffort } from './regex-effort.ts';
import { type CharacterSet, parseRegex, type RegexNode } from './regex-syntax.ts';

/** A pattern as the matcher of the platform reads it, which goes back over what it has tried. Plain data. */
export interface NativePattern {
  readonly source: string;
  readonly flags: string;
  /** Characters of the longest text on which it cannot take more steps than it may. */
  readonly longest: number;
}

export interface NativeRegex extends Pick<NativePattern, 'longest'> {
  readonly regex: RegExp;
}

const longestText = 1 << 20;

/**
 * The pattern as one of the platform's, which is many times as fast as any of our own; null where it has
 * parts of which we cannot tell how often they are gone back over, or that we do not know. It is meant for
 * texts of ASCII, on which it agrees with RE2.
 * @param mostSteps that the search of one text may take.
 */
export function nativePattern(source: string, flags: string, mostSteps: number): NativePattern | null {
  let node: RegexNode;
  try {
    node = trimmed(parseRegex(source, flags.includes('s'), 'spelled'));
  } catch {
    return null;
  }
  const longest = longestWithin(searchEffort(node, flags), mostSteps);
  if (longest === 0) return null;
  return { source: written(node, flags.includes('m')), flags: flags.includes('i') ? 'iu' : 'u', longest };
}

/** The same, ready to search. */
export function nativeRegex(source: string, flags: string, mostSteps: number): NativeRegex | null {
  const pattern = nativePattern(source, flags, mostSteps);
  return pattern && { regex: new RegExp(pattern.source, pattern.flags), longest: pattern.longest };
}

/** A length, near the longest, of texts on which the effort is no more than that; sooner found than the longest itself. */
function longestWithin(effort: (length: number) => number, most: number): number {
  if (effort(longestText) <= most) return longestText;
  let [longest, tooLong] = [0, longestText];
  while (tooLong - longest > longest / 8 + 1) {
    // Halfway by size, as most are either short or long.
    const middle = longest === 0 ? Math.ceil(Math.sqrt(tooLong)) : Math.ceil(Math.sqrt(longest * tooLong));
    if (middle >= tooLong) break;
    if (effort(middle) <= most) longest = middle;
    else tooLong = middle;
  }
  return longest;
}

/**
 * Finds something in the same texts: nothing holds a match to what a repetition at its beginning or end takes
 * beyond the least.
 */
function trimmed(node: RegexNode, isFirst = true, isLast = true): RegexNode {
  if (!isFirst && !isLast) return node;
  if (node.kind === 'repeat') return { ...node, most: node.least };
  if (node.kind !== 'sequence') return node;
  const end = node.of.length - 1;
  return { kind: 'sequence', of: node.of.map((part, at) => trimmed(part, isFirst && at === 0, isLast && at === end)) };
}

function written(node: RegexNode, multiline: boolean): string {
  switch (node.kind) {
    case 'set':
      return classOf(node.set);
    case 'assert':
      return asserted(node.what, multiline);
    case 'sequence':
      return node.of.map((part) => written(part, multiline)).join('');
    case 'choice':
      return `(?:${node.of.map((part) => written(part, multiline)).join('|')})`;
    case 'repeat': {
      const most = node.most === Number.POSITIVE_INFINITY ? '' : node.most;
      return `(?:${written(node.of, multiline)}){${node.least},${most}}`;
    }
    case 'look':
      throw new Error('look-around is not for the matcher of the platform');
  }
}

function classOf({ ranges, negated }: CharacterSet): string {
  const [range, ...others] = ranges;
  if (range !== undefined && range[0] === range[1] && others.length === 0 && !negated) return escaped(range[0]);
  return `[${negated ? '^' : ''}${ranges.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join('')}]`;
}

function escaped(point: number): string {
  const char = String.fromCodePoint(point);
  if (/^\w$/.test(char)) return char;
  return `\\u{${point.toString(16)}}`;
}

/** Lines end at line feeds only, and words are of ASCII, whatever the platform thinks. */
function asserted(what: Extract<RegexNode, { kind: 'assert' }>['what'], multiline: boolean): string {
  const word = '[0-9A-Za-z_]';
  switch (what) {
    case 'lineStart':
      return multiline ? '(?<![^\\n])' : '^';
    case 'lineEnd':
      return multiline ? '(?![^\\n])' : '$';
    case 'textStart':
      return '^';
    case 'textEnd':
      return '$';
    case 'word':
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case 'noWord':
      return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
  }
}
