import { cut, cutStart, printable } from './text.ts';
import { faint, type Style } from './style.ts';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  cell(row: T): string;
  /** Numbers stand to the right. */
  readonly isNumber?: boolean;
  /** ANSI code for a row's cell; none leaves it plain. */
  style?(row: T): string | undefined;
  /** The column that takes what room is left, no narrower than this. */
  readonly flexible?: number;
  /** Whether the end tells more than the beginning, as in paths. */
  readonly keepsEnd?: boolean;
  /** Left out where there is no room for it, the highest first; never without a number. */
  readonly rank?: number;
}

const indent = 2;
const gap = 2;

/** Rows below titles, with as many of the columns as the width has room for. */
export function gridLines<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  { width, style }: { readonly width: number; readonly style: Style },
): string[] {
  const cells = columns.map((column) => rows.map((row) => printable(column.cell(row))));
  const natural = columns.map(({ title }, at) => Math.max(title.length, ...cells[at]!.map(({ length }) => length)));
  const shown = fitting(columns, natural, width);
  const widths = shown.map((at) => natural[at]!);
  const over = indent + sum(widths) + gap * (shown.length - 1) - width;
  const flexible = shown.findIndex((at) => columns[at]!.flexible !== undefined);
  if (flexible >= 0 && over > 0) widths[flexible] = Math.max(1, widths[flexible]! - over);
  const line = (texts: readonly string[], codes: readonly (string | undefined)[]): string => {
    const parts = texts.map((text, place) => {
      const { isNumber, keepsEnd } = columns[shown[place]!]!;
      const fitted = (keepsEnd ? cutStart : cut)(text, widths[place]!);
      const isLast = place === texts.length - 1;
      const padding = ' '.repeat(widths[place]! - fitted.length);
      const code = codes[place];
      const styled = code === undefined ? fitted : style(code, fitted);
      return isNumber ? padding + styled : isLast ? styled : styled + padding;
    });
    return `${' '.repeat(indent)}${parts.join(' '.repeat(gap))}`.trimEnd();
  };
  const head = line(
    shown.map((at) => columns[at]!.title),
    shown.map(() => faint),
  );
  return [
    head,
    ...rows.map((row, number) =>
      line(
        shown.map((at) => cells[at]![number]!),
        shown.map((at) => columns[at]!.style?.(row)),
      ),
    ),
  ];
}

/** Places of the columns that the width has room for. */
function fitting<T>(columns: readonly Column<T>[], natural: readonly number[], width: number): number[] {
  let shown = columns.map((_, at) => at);
  const least = (at: number): number => Math.min(natural[at]!, columns[at]!.flexible ?? Infinity);
  for (;;) {
    const rank = Math.max(...shown.map((at) => columns[at]!.rank ?? 0));
    const needed = indent + sum(shown.map(least)) + gap * (shown.length - 1);
    if (needed <= width || rank === 0) return shown;
    shown = shown.filter((at) => columns[at]!.rank !== rank);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
