import type { ProcessNode, ProcessTree } from '@svc/contracts';
import { expect, it } from 'vitest';
import { isLineageType, pruneToEntity } from './process-lineage.ts';

function node(image: string, over: Partial<ProcessNode> = {}): ProcessNode {
  const unknown = { guid: '', pid: '', image_full: '', cmdline: '', user: '', time: '', computer: '' };
  return { ...unknown, image, image_alts: [], hashes: [], hit: true, findings: [], children: [], ...over };
}

const tree: ProcessTree = {
  roots: [
    node('explorer.exe', {
      hit: false,
      computer: 'WS01.corp.example',
      children: [
        node('cmd.exe', { user: 'CORP\\Alice', children: [node('whoami.exe', { hashes: ['AB12'] })] }),
        node('notepad.exe', { cmdline: 'notepad C:\\Run.PS1' }),
      ],
    }),
    node('svchost.exe', { image_alts: ['cmd.exe'], computer: '10.0.0.1' }),
  ],
  stats: { processes: 5, hits: 4, inferred: 1, roots: 2, truncated: false, depth_capped: false, max_nodes: 2000 },
};

const names = (nodes: readonly ProcessNode[]): unknown[] =>
  nodes.map(({ image, match, children }) => [image, match, names(children)]);

it('keeps what an executable is, what started it and what it started', () => {
  const { roots, stats } = pruneToEntity(tree, { type: 'executable', value: 'cmd.exe' });
  expect(names(roots)).toEqual([
    ['explorer.exe', false, [['cmd.exe', true, [['whoami.exe', false, []]]]]],
    ['svchost.exe', true, []],
  ]);
  expect(stats).toEqual({
    ...tree.stats,
    processes: 4,
    hits: 3,
    inferred: 1,
    roots: 2,
    matched: 2,
    entity_pruned: true,
    source_processes: 5,
  });
});

it.each([
  ['computer', 'ws01', 1],
  ['computer', '10.0.0.2', 0],
  ['user', 'alice', 1],
  ['user', 'OTHER\\alice', 1],
  ['cmdline_file', 'run.ps1', 1],
  ['hash', 'AB12', 1],
  ['hash', 'AB', 0],
  ['executable', 'md.exe', 0],
] as const)('finds the processes of %s %s', (type, value, matched) => {
  expect(pruneToEntity(tree, { type, value }).stats.matched).toBe(matched);
});

it('is for types alone that processes tell of', () => {
  expect((['computer', 'domain', 'task', 'hash'] as const).map(isLineageType)).toEqual([true, false, false, true]);
});
