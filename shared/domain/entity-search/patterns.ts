/** What takes more than linear time, or is not said alike by all who look for it. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'it looks ahead or behind, which is not offered'],
  [/^\(\?(?!:)/, 'groups begin with ( or (?: only'],
  [/^\\[1-9]/, 'it refers back to a group, which is not offered'],
  [/^\\[^dDwWsSbBtnr\W]/, 'of letters after a backslash there are d w s b t n r only'],
];

/** One part of a pattern: an escape, a set, the opening of a group, or one character. */
const part = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\((?:\?<?[^])?|[^]/y;

/**
 * Why a pattern of `re:/…/` cannot be used, or null: it is what JavaScript, RE2 and PostgreSQL read alike, and what can be
 * searched in time that grows with the text alone.
 */
export function patternProblem(pattern: string): string | null {
  for (const text of patternParts(pattern)) {
    const reason = refused.find(([what]) => what.test(text))?.[1];
    if (reason !== undefined) return reason;
    if (text.startsWith('[')) {
      const inner = setProblem(text);
      if (inner !== null) return inner;
    }
  }
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, low, high]) => [
    Number(low),
    Number(high ?? 0),
  ]);
  if (counts.some((count) => count > 255)) return 'nothing repeats more than 255 times';
  if (sizeOf(pattern) > mostParts) return `written out without {}, it has more than ${mostParts} parts`;
  try {
    void new RegExp(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*\/: /s, '').toLowerCase() : 'it cannot be read';
  }
}

/** The parts of a pattern in order: escapes, sets, and openings of groups whole. */
export function patternParts(pattern: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < pattern.length; at += parts.at(-1)!.length) {
    part.lastIndex = at;
    parts.push(part.exec(pattern)![0]);
  }
  return parts;
}

/** With more, PostgreSQL refuses a pattern, and the embedded one stops. */
const mostParts = 5000;

/** How many parts a pattern has when what it repeats is written as often. */
function sizeOf(pattern: string): number {
  const open: number[] = [];
  let [size, last] = [0, 0];
  for (let at = 0; at < pattern.length;) {
    const times = /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(at));
    part.lastIndex = at;
    const text = times?.[0] ?? part.exec(pattern)![0];
    at += text.length;
    if (times !== null) {
      const more = Math.max(Number(times[1]), Number(times[2] ?? 0), 1);
      size += last * (more - 1);
      last *= more;
    } else if (text.startsWith('(')) {
      open.push(size);
      size = 0;
    } else if (text === ')') {
      last = size;
      size += open.pop() ?? 0;
    } else {
      last = 1;
      size += 1;
    }
  }
  return open.reduce((sum, one) => sum + one, size);
}

function setProblem(set: string): string | null {
  if (/^\[\^?\]/.test(set)) return 'a set in brackets is empty';
  if (/\[[:.=]/.test(set.slice(1))) return 'named sets such as [:alpha:] are not offered';
  if (/\\[bB]/.test(set)) return 'there are no word boundaries in a set';
  return /-\\[dDwWsS]|\\[dDwWsS]-(?!\])/.test(set) ? 'a range in a set goes from one character to another' : null;
}
