export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Lines of two short texts in order: what both have, the first alone, or the second. */
export function lineDifferences(before: string, after: string): DifferentLine[] {
  const [a, b] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  // For each pair of places how many lines are the same in order from there on.
  const same = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      same[i]![j] = a[i] === b[j] ? same[i + 1]![j + 1]! + 1 : Math.max(same[i + 1]![j]!, same[i]![j + 1]!);
    }
  }
  const lines: DifferentLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && same[i + 1]![j]! >= same[i]![j + 1]!)) {
      lines.push({ kind: 'gone', text: a[i++]! });
    } else {
      lines.push({ kind: 'new', text: b[j++]! });
    }
  }
  return lines;
}
