import type { Density, JobSort } from '@svc/contracts';

/** A column of the jobs list. Widths are pixels; ranks say which columns go first where there is no room. */
export interface Column {
  readonly label: string;
  readonly hint?: string;
  /** Least width; the column of files takes what is left. */
  readonly width: number;
  /** The same where rows are high. */
  readonly roomyWidth?: number;
  /** 0 is always shown, the highest goes first; null is shown only when chosen. */
  readonly rank: number | null;
  readonly isNumber?: boolean;
  /** What the service sorts by for it. */
  readonly sort?: JobSort;
}

/** All columns, in the order in which they stand. */
const columns = {
  status: { label: 'Status', width: 124, rank: 0 },
  file: { label: 'File', width: 188, rank: 0 },
  id: { label: 'Job', hint: 'Job number', width: 72, rank: null, isNumber: true },
  type: { label: 'Type', width: 104, rank: 6 },
  workflow: { label: 'Workflow', width: 140, rank: 8 },
  size: { label: 'Size', width: 84, rank: null, isNumber: true },
  severity: { label: 'Severity', width: 168, rank: 1, sort: 'severity' },
  top: { label: 'Top finding', hint: 'The worst finding, the one with the most matches', width: 164, rank: 4 },
  matches: { label: 'Matches', hint: 'Matched events', width: 76, rank: 3, isNumber: true, sort: 'matches' },
  rules: { label: 'Rules', hint: 'Rules that matched', width: 56, rank: 7, isNumber: true },
  ratio: {
    label: 'Score',
    hint: 'Tasks that found something, of those that ran',
    width: 64,
    rank: null,
    isNumber: true,
  },
  tags: { label: 'Tags', width: 166, rank: 5 },
  submitter: { label: 'Submitter', width: 124, rank: 9 },
  age: { label: 'Age', width: 76, roomyWidth: 140, rank: 2, isNumber: true, sort: 'created' },
} as const satisfies Record<string, Column>;
export type ColumnKey = keyof typeof columns;

export const columnKeys = Object.keys(columns) as ColumnKey[];

/** What is known of a column. */
export function columnOf(key: ColumnKey): Column {
  return columns[key];
}

/** The columns that a visitor can have: tags are for members. */
export function offeredColumns(isMember: boolean): ColumnKey[] {
  return isMember ? columnKeys : columnKeys.filter((key) => key !== 'tags');
}

/**
 * The columns to show of those that are offered: the chosen ones whatever the room, or else those that
 * fit into `room` pixels, the most telling first.
 */
export function shownColumns(
  offered: readonly ColumnKey[],
  { chosen, room, density }: { chosen: readonly ColumnKey[] | null; room: number; density: Density },
): ColumnKey[] {
  if (chosen) return offered.filter((key) => columns[key].rank === 0 || chosen.includes(key));
  const ranked = offered
    .flatMap((key) => {
      const { rank } = columns[key];
      return rank === null ? [] : [{ key, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
  const shown = new Set<ColumnKey>();
  for (const { key, rank } of ranked) {
    if (rank > 0 && widthOf([...shown, key], density) > room) break;
    shown.add(key);
  }
  return offered.filter((key) => shown.has(key));
}

/** The least width of a table of these columns. */
export function widthOf(keys: readonly ColumnKey[], density: Density): number {
  return keys.reduce((sum, key) => sum + columnWidth(key, density), 0);
}

/** The least width of a column. */
export function columnWidth(key: ColumnKey, density: Density): number {
  const { width, roomyWidth = width } = columnOf(key);
  return density === 'roomy' ? roomyWidth : width;
}

/** What was kept of an earlier choice: null where there was none; names of columns that are no more drop out. */
export function readColumns(kept: unknown): ColumnKey[] | null {
  return Array.isArray(kept) ? columnKeys.filter((key) => kept.includes(key)) : null;
}
