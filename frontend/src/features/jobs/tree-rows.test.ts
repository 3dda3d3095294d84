import type { ProcessNode } from '@svc/contracts';
import { expect, it } from 'vitest';
import { innerKeys, treeRows } from './tree-rows.ts';

function node(image: string, children: ProcessNode[] = [], more: Partial<ProcessNode> = {}): ProcessNode {
  const empty = { guid: '', pid: '', image_full: '', image_alts: [], cmdline: '', user: '', time: '', computer: '' };
  return { ...empty, hashes: [], hit: true, image, children, ...more };
}

const roots = [
  node('winword.exe', [node('cmd.exe', [node('whoami.exe', [], { cmdline: 'whoami /all' })]), node('splwow64.exe')]),
  node('explorer.exe'),
];
const images = (closed: string[], text = '') => treeRows(roots, new Set(closed), text).map((row) => row.node.image);

it('shows all lines, and none below what is closed', () => {
  expect(images([])).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe', 'splwow64.exe', 'explorer.exe']);
  expect(images(['0.0'])).toEqual(['winword.exe', 'cmd.exe', 'splwow64.exe', 'explorer.exe']);
  expect(treeRows(roots, new Set(['0']), '')[0]).toMatchObject({ key: '0', depth: 0, below: 3, isOpen: false });
});

it('searches names and command lines, with what leads to them', () => {
  expect(images([], '/ALL')).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe']);
  expect(images(['0'], 'whoami')).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe']);
  expect(images([], 'none')).toEqual([]);
});

it('knows what can be closed', () => {
  expect(innerKeys(roots)).toEqual(['0', '0.0']);
});
