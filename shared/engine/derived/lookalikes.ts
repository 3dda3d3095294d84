/** Letters and digits that are easily taken for one another. */
const alike = new Set(['0o', 'o0', '1l', 'l1', '1i', 'i1', '5s', 's5', '8b', 'b8']);

/**
 * The target that a file name poses as: at most `maxDistance` edits away and with a trick that deceives the
 * eye (resolved-platform 6.1); null for none. All names lower-case.
 */
export function posesAs(name: string, targets: readonly string[], maxDistance: number): string | null {
  for (const target of targets) {
    if (Math.abs(name.length - target.length) > maxDistance || name === target) continue;
    if (!looksLike(stem(name), stem(target))) continue;
    const distance = editDistance(name, target, maxDistance);
    if (distance >= 1 && distance <= maxDistance) return target;
  }
  return null;
}

function looksLike(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false;
  return hasAlikes(one, other) || isOneSwap(one, other) || isOneLetter(one, other) || fold(one) === fold(other);
}

/** At most two places differ, one of them at least by letters that look alike. */
function hasAlikes(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const pairs = one.split('').flatMap((letter, at) => (letter === other[at] ? [] : [letter + other[at]!]));
  return pairs.length > 0 && pairs.length <= 2 && pairs.some((pair) => alike.has(pair));
}

function isOneSwap(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = firstDifference(one, other);
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
  return at + 1 < one.length && swapped === other;
}

function isOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length !== 1) return false;
  const at = firstDifference(short, long);
  return long.slice(0, at) + long.slice(at + 1) === short;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function fold(name: string): string {
  return name.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function stem(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Insertions, removals and replacements of letters from one to the other; anything above `most` is `most + 1`. */
function editDistance(one: string, other: string, most: number): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1];
    for (let column = 1; column <= other.length; column++) {
      const cost = letter === other[column - 1] ? 0 : 1;
      current.push(Math.min(current[column - 1]! + 1, before[column]! + 1, before[column - 1]! + cost));
    }
    before = current;
  }
  return Math.min(before.at(-1)!, most + 1);
}
