import { expect, it } from 'vitest';
import { columnKeys, offeredColumns, readColumns, shownColumns, widthOf } from './columns.ts';

const all = offeredColumns(true);
const density = 'compact';
const fitting = (room: number) => shownColumns(all, { chosen: null, room, density });

it('shows as many columns as there is room for, the most telling first', () => {
  const usual = columnKeys.filter((key) => !['id', 'size', 'ratio'].includes(key));
  expect(fitting(1400)).toEqual(usual);
  // What a member has left in a window of 1440 pixels, with a scrollbar.
  const usualRoom = 1131;
  const shown = usual.filter((key) => !['workflow', 'submitter'].includes(key));
  expect(fitting(usualRoom)).toEqual(shown);
  const roomy = shownColumns(all, { chosen: null, room: usualRoom, density: 'roomy' });
  expect(roomy).toEqual(shown.filter((key) => key !== 'rules'));
  expect(fitting(700)).toEqual(['status', 'file', 'severity', 'matches', 'age']);
  expect(fitting(0)).toEqual(['status', 'file']);
  for (let room = 400; room < 1400; room += 13) expect(widthOf(fitting(room), density)).toBeLessThanOrEqual(room);
});

it('shows what was chosen whatever the room, and never a list without files', () => {
  expect(shownColumns(all, { chosen: ['size', 'age'], room: 100, density })).toEqual(['status', 'file', 'size', 'age']);
});

it('offers tags to members alone', () => {
  expect(offeredColumns(false)).not.toContain('tags');
  expect(shownColumns(offeredColumns(false), { chosen: ['tags'], room: 0, density })).toEqual(['status', 'file']);
});

it('reads what was kept, and drops what it does not know', () => {
  expect(readColumns(null)).toBeNull();
  expect(readColumns(['age', 'colour', 7])).toEqual(['age']);
});
