import { expect, it } from 'vitest';
import { Pairs, recordKey } from './pairs.ts';

it.each([
  ['2021-10-25T18:04:30.3344719Z', '2021-10-25T18:04:30.334471'],
  ['2021-10-25T18:04:30.334471+00:00', '2021-10-25T18:04:30.334471'],
  ['2013-10-23 18:31:59 UTC', '2013-10-23T18:31:59.000000'],
  ['2013-10-23T18:31:59.5Z', '2013-10-23T18:31:59.500000'],
])('knows a record by its time however a program prints it: %s', (time, cut) => {
  expect(recordKey(7, time)).toBe(`7 ${cut}`);
  expect(recordKey('7', time)).toBe(recordKey(7, time));
});

it('has each pair once, and tells those that others lack', () => {
  const [ours, theirs] = [new Pairs(), new Pairs()];
  const first = { log: 'a.evtx', rule: 'r', record: '1' };
  const second = { ...first, record: '2' };
  for (const pair of [first, { ...first }, second]) ours.add(pair);
  theirs.add({ ...second });
  expect(ours.size).toBe(2);
  expect(ours.without(theirs)).toEqual([first]);
});
