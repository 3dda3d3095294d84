/** Names come from files and rules of others: nothing in them may steer the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 rule`, `2 rules`. */
export function counted(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}

/** Rows as lines with their columns aligned, those with numbers to the right; a line is cut to the width. */
export function columns(rows: readonly (readonly (string | number)[])[], width: number): string[] {
  const isNumeric = (rows.at(-1) ?? []).map((cell) => typeof cell === 'number');
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : printable(cell))));
  const widths = isNumeric.map((_, at) => Math.max(...text.map((row) => row[at]!.length)));
  return text.map((row) => {
    const cells = row.map((cell, at) => (isNumeric[at] ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)));
    return cut(`  ${cells.join('  ')}`.trimEnd(), width);
  });
}
