import { entityTypes, relationshipKinds } from '@svc/domain';
import { entityTypes as foundTypes, relationshipTypes, type DerivedIntel } from '@svc/engine';
import { expect, it } from 'vitest';
import { linksByText } from './links-by-text.ts';
import { taskIntelOf } from './task-intel.ts';
import { uniteIntel } from './unite-intel.ts';

const edge = (source: number, target: number, count: number, over: object = {}) => ({
  type: 'runs_as' as const,
  source,
  target,
  count,
  failed: 0,
  observedFrom: null,
  observedTo: null,
  samples: [],
  ...over,
});

it('is of the types that the domain knows, in its order', () => {
  expect(relationshipTypes).toEqual(relationshipKinds);
  expect([...foundTypes].toSorted()).toEqual([...entityTypes].toSorted());
});

it('joins spellings within a task, and takes the higher count of two tasks', () => {
  const one: DerivedIntel = {
    entities: [
      { type: 'user', value: 'Alice', count: 3 },
      { type: 'executable', value: 'a.exe', count: 1 },
      { type: 'user', value: 'ALICE', count: 4 },
    ],
    findings: [{ rule: 1, entities: [2, 0] }],
    relationships: [edge(1, 0, 2, { observedFrom: 5, observedTo: 6 }), edge(1, 2, 1, { failed: 1 }), edge(0, 2, 9)],
    isTruncated: false,
  };
  const other: DerivedIntel = {
    entities: [
      { type: 'executable', value: 'a.exe', count: 8 },
      { type: 'user', value: 'alice', count: 1 },
    ],
    findings: [{ rule: 0, entities: [0] }],
    relationships: [edge(0, 1, 2, { observedFrom: 4, observedTo: 5, samples: [{ Image: 'a.exe' }] })],
    isTruncated: false,
  };
  expect(uniteIntel([taskIntelOf(one, [7, 8]), taskIntelOf(other, [9])])).toEqual({
    entities: [
      { type: 'user', value: 'Alice', count: 7 },
      { type: 'executable', value: 'a.exe', count: 8 },
    ],
    findings: [
      { finding: 8, entities: [0] },
      { finding: 9, entities: [1] },
    ],
    // What was one thing in two spellings is not related to itself.
    relationships: [edge(1, 0, 3, { failed: 1, observedFrom: 4, observedTo: 6, samples: [{ Image: 'a.exe' }] })],
  });
});

it('takes for one what a database would, and cuts long values', () => {
  const entities = ['x\u0000', 'x\uFFFD', 'y'.repeat(600)].map((value) => ({ type: 'task' as const, value, count: 1 }));
  const { entities: kept } = uniteIntel([{ entities, findings: null, relationships: [], isTruncated: false }]);
  expect(kept.map(({ value, count }) => [value.length, count])).toEqual([
    [2, 2],
    [500, 1],
  ]);
});

it('finds values in the text of events where they are no part of a longer word', () => {
  const entities = [
    { type: 'ip_address' as const, value: '10.0.0.1', count: 1 },
    { type: 'user' as const, value: 'Ann', count: 1 },
    { type: 'task' as const, value: String.raw`\Corp\Update`, count: 1 },
  ];
  const event = (fields: Record<string, unknown>) => ({
    recordId: null,
    timestamp: null,
    computer: null,
    channel: null,
    eventId: null,
    fields,
  });
  const found = linksByText(entities, [
    { id: 1, tags: [], events: [event({ Ip: '10.0.0.10', Text: 'annual', Task: [String.raw`X \corp\update`] })] },
    { id: 2, tags: ['by-ANN'], events: [event({ Ip: { Source: '(10.0.0.1)' } })] },
  ]);
  expect(found).toEqual([
    { finding: 1, entities: [2] },
    { finding: 2, entities: [0, 1] },
  ]);
});
