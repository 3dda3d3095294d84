import type { ProcessNode } from '@svc/contracts';
import { expect, it } from 'vitest';
import { innerKeys, treeLines, treeRows, whoOf } from './tree-rows.ts';

function node(image: string, children: ProcessNode[] = [], more: Partial<ProcessNode> = {}): ProcessNode {
  const empty = { guid: '', pid: '', image_full: '', image_alts: [], cmdline: '', user: '', time: '', computer: '' };
  return { ...empty, hashes: [], findings: [], hit: true, image, children, ...more };
}

const roots = [
  node('winword.exe', [node('cmd.exe', [node('whoami.exe', [], { cmdline: 'whoami /all' })]), node('splwow64.exe')]),
  node('explorer.exe'),
];
const lines = treeLines(roots);
const images = (closed: string[], text = '') =>
  treeRows(lines, new Set(closed), { text, onlyHits: false }).map((row) => row.node.image);

it('shows all lines, and none below what is closed', () => {
  expect(images([])).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe', 'splwow64.exe', 'explorer.exe']);
  expect(images(['0.0'])).toEqual(['winword.exe', 'cmd.exe', 'splwow64.exe', 'explorer.exe']);
  expect(treeRows(lines, new Set(['0']), { text: '', onlyHits: false })[0]).toMatchObject({
    key: '0',
    depth: 0,
    below: 3,
    isOpen: false,
  });
});

it('searches names and command lines, with what leads to them', () => {
  expect(images([], '/ALL')).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe']);
  expect(images(['0'], 'whoami')).toEqual(['winword.exe', 'cmd.exe', 'whoami.exe']);
  expect(images([], 'none')).toEqual([]);
  const [, cmd] = treeRows(lines, new Set(), { text: 'whoami', onlyHits: false });
  expect(cmd).toMatchObject({ isOpen: true, place: 1, siblings: 1 });
  expect(treeRows(lines, new Set(), { text: '', onlyHits: false })[1]).toMatchObject({ place: 1, siblings: 2 });
});

it('knows what can be closed', () => {
  expect(innerKeys(lines)).toEqual(['0', '0.0']);
});

it('knows of each line what is above and below it', () => {
  expect(lines.map(({ key, depth, below, parent }) => [key, depth, below, parent])).toEqual([
    ['0', 0, 3, -1],
    ['0.0', 1, 1, 0],
    ['0.0.0', 2, 0, 1],
    ['0.1', 1, 0, 0],
    ['1', 0, 0, -1],
  ]);
});

it.each([
  ['WS01\\alice', 'ws01.example.org', 'WS01\\alice'],
  ['CORP\\alice', 'WS01', 'CORP\\alice @ WS01'],
  ['WS01', 'WS01', 'WS01 @ WS01'],
  ['', 'WS01', 'WS01'],
  ['alice', '', 'alice'],
])('names %j on %j as %s', (user, computer, who) => {
  expect(whoOf({ user, computer })).toBe(who);
});

it('shows the matched processes alone, each under the nearest of them', () => {
  const inferred = { hit: false };
  const mixed = treeLines([
    node('explorer.exe', [node('cmd.exe', [node('a.exe', [node('b.exe')], inferred), node('c.exe')])], inferred),
    node('d.exe', [node('e.exe')], inferred),
  ]);
  const rows = treeRows(mixed, new Set(), { text: '', onlyHits: true });
  expect(rows.map((row) => [row.node.image, row.depth, row.below, row.key])).toEqual([
    ['cmd.exe', 0, 2, '0.0'],
    ['b.exe', 1, 0, '0.0.0.0'],
    ['c.exe', 1, 0, '0.0.1'],
    ['e.exe', 0, 0, '1.0'],
  ]);
  const closed = treeRows(mixed, new Set(['0.0']), { text: '', onlyHits: true });
  expect(closed.map((row) => row.node.image)).toEqual(['cmd.exe', 'e.exe']);
});
