import { expect, it } from 'vitest';
import { findingRow } from '../testing/finding-row.ts';
import { keeps } from './use-findings-naming.ts';

const named = new Map([
  [
    'ws01',
    new Map([
      [1, { id: 1, events: 2, kept: 2 }],
      [2, { id: 2, events: 1, kept: 2 }],
    ]),
  ],
]);
const kept = (id: number, how: 'only' | 'not', value: string) =>
  keeps(findingRow(id), { kind: 'host', value }, { how, named });

it('keeps what names a value, and leaves out what names it in every kept event', () => {
  expect([1, 2, 3].map((id) => kept(id, 'only', 'ws01'))).toEqual([true, true, false]);
  expect([1, 2, 3].map((id) => kept(id, 'not', 'ws01'))).toEqual([false, true, true]);
});

it('keeps everything until it is known', () => {
  expect([kept(1, 'only', 'other'), kept(1, 'not', 'other')]).toEqual([true, true]);
});

it('goes by the rule where the value is one, and by what its tags name', () => {
  const finding = findingRow(1, { rule_name: 'Mimikatz Use', rule_id: 'ab', tags: ['attack.t1003.001'] });
  const by = (kind: 'rule' | 'technique', value: string, how: 'only' | 'not' = 'only') =>
    keeps(finding, { kind, value }, { how, named });
  expect([by('rule', 'mimikatz use'), by('rule', 'AB'), by('rule', 'mimikatz')]).toEqual([true, true, false]);
  expect([by('technique', 'T1003'), by('technique', 'T1059'), by('technique', 'T1003', 'not')]).toEqual([
    true,
    false,
    false,
  ]);
});
