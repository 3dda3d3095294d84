import type { TreeRow } from './tree-rows.ts';

/**
 * What a key does in a tree, for the row that has the focus: the row to go to, or `toggle`; null for keys of no
 * meaning. Right opens a row and then leads to what is below it, left closes it and then leads to what is above.
 */
export function treeKey(
  key: string,
  rows: readonly Pick<TreeRow, 'below' | 'depth' | 'isOpen'>[],
  at: number,
): number | 'toggle' | null {
  const row = rows[at];
  if (row === undefined) return null;
  const canOpen = row.below > 0 && !row.isOpen;
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, rows.length - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      if (canOpen) return 'toggle';
      return row.below > 0 ? at + 1 : at;
    case 'ArrowLeft':
      if (row.below > 0 && row.isOpen) return 'toggle';
      return row.depth === 0 ? at : rows.findLastIndex(({ depth }, place) => place < at && depth < row.depth);
    default:
      return null;
  }
}
