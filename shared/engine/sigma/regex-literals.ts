import { fold } from '../events/value-table.ts';
import { isEveryday } from './everyday.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';
import { leadingFlags } from './regex.ts';

/** Of more spellings a part of a pattern is not told by all that it may be. */
const mostSpellings = 32;
const mostOfClass = 4;
const mostCopies = 8;
const shortestOfSeveral = 3;
const commonPenalty = 12;

/** Texts of which every match contains at least one; folded by the caller. */
export type LiteralSet = readonly string[];

/**
 * What every match of a pattern must contain: one text of each of these sets. It may miss some but never names
 * a wrong one; empty where the pattern has parts that we do not know.
 */
export function requiredLiterals(source: string): readonly LiteralSet[] {
  const { pattern } = leadingFlags(source);
  try {
    return setsOf(parseRegex(pattern, false, 'as-others'));
  } catch {
    return [];
  }
}

/** The set that is rarest in logs; null for none. */
export function rarest(sets: readonly LiteralSet[]): LiteralSet | null {
  return sets.filter(isRare).reduce<LiteralSet | null>((best, set) => {
    return best === null || rarityOf(set) > rarityOf(best) ? set : best;
  }, null);
}

/** Of several texts that are short, one stands in nearly everything, and they make a search slow. */
function isRare(set: LiteralSet): boolean {
  return set.length === 1 || set.every(({ length }) => length >= shortestOfSeveral);
}

function rarityOf(set: LiteralSet): number {
  const isCommon = set.some((text) => text.length < shortestOfSeveral || isEveryday(fold(text), false));
  return Math.min(...set.map(({ length }) => length)) - Math.log2(set.length) - (isCommon ? commonPenalty : 0);
}

function setsOf(node: RegexNode): readonly LiteralSet[] {
  const all = spellings(node);
  if (all !== null) return telling(all);
  switch (node.kind) {
    case 'sequence':
      return setsOfSequence(node.of);
    case 'choice': {
      const ofParts = node.of.map((part) => rarest(setsOf(part)));
      return ofParts.includes(null) ? [] : telling([...new Set(ofParts.flatMap((set) => set!))]);
    }
    case 'repeat':
      return node.least > 0 ? setsOf(node.of) : [];
    default:
      return [];
  }
}

/** Parts that stand side by side are one text, as far as it is told what they may be. */
function setsOfSequence(parts: readonly RegexNode[]): readonly LiteralSet[] {
  const sets: LiteralSet[] = [];
  let run: LiteralSet = [''];
  const end = (next: LiteralSet): void => {
    sets.push(...telling(run));
    run = next;
  };
  for (const part of parts) {
    const isRepeated = part.kind === 'repeat' && part.least > 0;
    const whole = spellings(part);
    const own = whole ?? (isRepeated ? spellings(part.of) : null);
    if (own === null) {
      end(['']);
      sets.push(...setsOf(part));
      continue;
    }
    const joined = product(run, own);
    if (joined === null) end(own);
    else run = joined;
    // More of the same may follow before what comes next.
    if (whole === null) end(own);
  }
  end(['']);
  return sets;
}

/** The set without what contains another one of it. */
function telling(set: LiteralSet): readonly LiteralSet[] {
  const least = set.filter((text) => !set.some((other) => other !== text && text.includes(other)));
  return least.includes('') ? [] : [least];
}

/** All texts that a part matches, looking around left out; null where they are too many. */
function spellings(node: RegexNode): LiteralSet | null {
  switch (node.kind) {
    case 'set': {
      const { ranges, negated } = node.set;
      const size = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
      if (negated || size > mostOfClass) return null;
      return ranges.flatMap(([low, high]) =>
        Array.from({ length: high - low + 1 }, (_, at) => String.fromCodePoint(low + at)),
      );
    }
    case 'sequence':
      return node.of.reduce<LiteralSet | null>((run, part) => product(run, spellings(part)), ['']);
    case 'choice': {
      const ofParts = node.of.map(spellings);
      return ofParts.includes(null) ? null : few(ofParts.flatMap((set) => set!));
    }
    case 'repeat': {
      const once = node.most > mostCopies ? null : spellings(node.of);
      const all: (LiteralSet | null)[] = [];
      let run: LiteralSet | null = [''];
      for (let times = 0; times <= node.most && once !== null; times++) {
        if (times >= node.least) all.push(run);
        run = product(run, once);
      }
      return once === null || all.includes(null) ? null : few(all.flatMap((set) => set!));
    }
    default:
      return [''];
  }
}

function product(heads: LiteralSet | null, tails: LiteralSet | null): LiteralSet | null {
  if (heads === null || tails === null || heads.length * tails.length > mostSpellings) return null;
  return few(heads.flatMap((head) => tails.map((tail) => head + tail)));
}

function few(texts: readonly string[]): LiteralSet | null {
  const different = [...new Set(texts)];
  return different.length > mostSpellings ? null : different;
}
