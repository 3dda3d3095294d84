import { type CharacterSet, parseRegex, type RegexNode } from './regex-syntax.ts';

/** A pattern for the matcher of the platform, which goes back over what it has tried. */
export interface NativeRegex {
  readonly regex: RegExp;
  /** Characters of the longest text on which it cannot take more steps than it may. */
  readonly longest: number;
}

const longestText = 1 << 20;

/**
 * The pattern as one of the platform's, which is many times as fast as any of our own; null where it has
 * parts of which we cannot tell how often they are gone back over, or that we do not know. It is meant for
 * texts of ASCII, on which it agrees with RE2.
 * @param mostSteps that the search of one text may take.
 */
export function nativeRegex(source: string, flags: string, mostSteps: number): NativeRegex | null {
  let node: RegexNode;
  try {
    node = trimmed(parseRegex(source, flags.includes('s')));
  } catch {
    return null;
  }
  const may = (length: number): boolean => (length + 1) * effortOf(node, length).steps <= mostSteps;
  let [longest, tooLong] = [0, longestText];
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >> 1;
    if (may(middle)) longest = middle;
    else tooLong = middle;
  }
  if (longest === 0) return null;
  return { regex: new RegExp(written(node, flags.includes('m')), flags.includes('i') ? 'iu' : 'u'), longest };
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

/** At most so many steps from one place of a text, and so many ways to go on after the part. */
interface Effort {
  readonly steps: number;
  readonly ways: number;
}

function effortOf(node: RegexNode, length: number): Effort {
  switch (node.kind) {
    case 'set':
    case 'assert':
      return { steps: 1, ways: 1 };
    case 'look':
      return { steps: Number.POSITIVE_INFINITY, ways: 1 };
    case 'sequence': {
      let [steps, ways] = [1, 1];
      for (const part of node.of) {
        const effort = effortOf(part, length);
        steps += ways * effort.steps;
        ways *= effort.ways;
      }
      return { steps, ways };
    }
    case 'choice': {
      const efforts = node.of.map((part) => effortOf(part, length));
      const sum = (of: keyof Effort): number => efforts.reduce((total, effort) => total + effort[of], 0);
      return { steps: 1 + sum('steps'), ways: sum('ways') };
    }
    case 'repeat':
      return repeated(node, length);
  }
}

function repeated({ of, least, most }: Extract<RegexNode, { kind: 'repeat' }>, length: number): Effort {
  if (of.kind === 'set') {
    const times = Math.min(most, length);
    return { steps: 1 + times, ways: Math.max(1, times - least + 1) };
  }
  const once = effortOf(of, length);
  if (most === Number.POSITIVE_INFINITY) return { steps: Number.POSITIVE_INFINITY, ways: 1 };
  let [steps, ways] = [1, 0];
  for (let times = 0, power = 1; times <= most; times++, power *= once.ways) {
    if (times >= least) ways += power;
    if (times < most) steps += power * once.steps;
  }
  return { steps, ways };
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
  return `[${negated ? '^' : ''}${ranges.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join('')}]`;
}

function escaped(point: number): string {
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
