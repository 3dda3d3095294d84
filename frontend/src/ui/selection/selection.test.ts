import { expect, it } from 'vitest';
import { nothing, reaching, toggled, withAll, type Row, type Selection } from './selection.ts';

const job = (id: number): Row<string> => [id, `job ${id}`];
const rows = [9, 8, 7, 6, 5].map(job);
const none: Selection<string> = nothing;
const chosen = ({ rows: all }: Selection<string>) => [...all.keys()];

it('takes jobs one by one, and lets them go', () => {
  const one = toggled(none, job(8));
  expect(chosen(one)).toEqual([8]);
  expect(chosen(toggled(toggled(one, job(6)), job(8)))).toEqual([6]);
});

it('reaches from the last one touched in both directions, and keeps what was chosen before', () => {
  const two = toggled(toggled(none, job(9)), job(7));
  expect(chosen(reaching(two, job(5), rows))).toEqual([9, 7, 6, 5]);
  expect(chosen(reaching(toggled(none, job(6)), job(8), rows))).toEqual([6, 8, 7]);
});

it('starts a range where the anchor is on another page', () => {
  const elsewhere = toggled(none, job(100));
  const started = reaching(elsewhere, job(8), rows);
  expect(chosen(started)).toEqual([100, 8]);
  expect(chosen(reaching(started, job(6), rows))).toEqual([100, 8, 7, 6]);
});

it('takes a page, and lets it go', () => {
  const page = withAll(toggled(none, job(100)), rows, true);
  expect(page.rows.size).toBe(6);
  expect(chosen(withAll(page, rows, false))).toEqual([100]);
});
