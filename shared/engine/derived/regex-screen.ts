import { parseRegex, type RegexNode } from '../sigma/regex-syntax.ts';

/** Shorter texts are in too many values to tell anything. */
const shortest = 3;
const most = 64;

/**
 * Texts, lower-case, of which every match of the pattern contains at least one, whatever its case; null where no
 * such are certain. For values of ASCII, where letters have one other case at most.
 */
export function neededTexts(pattern: string): readonly string[] | null {
  try {
    // A case-sensitive group matches no more than a case-insensitive one, so the screen stays complete.
    return needed(parseRegex(pattern.replaceAll('(?-i:', '(?:'), false));
  } catch {
    return null;
  }
}

function needed(node: RegexNode): readonly string[] | null {
  switch (node.kind) {
    case 'sequence':
      return neededBySequence(node.of);
    case 'choice': {
      const each = node.of.map(needed);
      const all = each.every((texts) => texts !== null) ? [...new Set(each.flat())] : [];
      return all.length > 0 && all.length <= most ? all : null;
    }
    case 'repeat':
      return node.least > 0 ? needed(node.of) : null;
    case 'set':
    case 'assert':
    case 'look':
      return null;
  }
}

/** The best of what its parts need: the longest text, of the fewest. */
function neededBySequence(parts: readonly RegexNode[]): readonly string[] | null {
  const found: (readonly string[])[] = [];
  let run = '';
  for (const part of parts) {
    const letter = letterOf(part);
    if (letter !== null) {
      run += letter;
      continue;
    }
    if (part.kind === 'assert') continue;
    if (run.length >= shortest) found.push([run]);
    run = '';
    const own = needed(part);
    if (own !== null) found.push(own);
  }
  if (run.length >= shortest) found.push([run]);
  return found.sort((a, b) => shortestOf(b) - shortestOf(a) || a.length - b.length)[0] ?? null;
}

function shortestOf(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}

/** The one character of ASCII that a part stands for. */
function letterOf(node: RegexNode): string | null {
  if (node.kind !== 'set' || node.set.negated || node.set.ranges.length !== 1) return null;
  const [from, to] = node.set.ranges[0]!;
  return from === to && from < 0x80 ? String.fromCharCode(from).toLowerCase() : null;
}
