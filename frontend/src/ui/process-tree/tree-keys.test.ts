import type { ProcessNode } from '@svc/contracts';
import { expect, it } from 'vitest';
import { treeKey } from './tree-keys.ts';
import { treeLines, treeRows } from './tree-rows.ts';

const node = (image: string, children: ProcessNode[] = []) => ({ image, children }) as ProcessNode;
const lines = treeLines([node('a', [node('b', [node('c')]), node('d')]), node('e')]);
const open = treeRows(lines, new Set(), { text: '', onlyHits: false });
const keys = (at: number, rows = open) =>
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].map((key) => treeKey(key, rows, at));

it('moves as in every tree, and stays within it', () => {
  expect(keys(0)).toEqual([0, 1, 'toggle', 1, 0, 4]);
  expect(keys(2)).toEqual([1, 3, 1, 2, 0, 4]);
  expect(keys(3)).toEqual([2, 4, 0, 3, 0, 4]);
  expect(keys(4)).toEqual([3, 4, 4, 4, 0, 4]);
  expect(treeKey('x', open, 0)).toBeNull();
  expect(treeKey('End', [], 0)).toBeNull();
});

it('opens what is closed', () => {
  const closed = treeRows(lines, new Set(['0.0']), { text: '', onlyHits: false });
  expect(keys(1, closed)).toEqual([0, 2, 0, 'toggle', 0, 3]);
});
