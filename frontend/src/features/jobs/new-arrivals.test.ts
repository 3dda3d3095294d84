import type { JobList } from '@svc/contracts';
import { expect, it } from 'vitest';
import { settledRows } from './new-arrivals.ts';

function list(ids: number[], { total = ids.length, page = 1 } = {}): JobList {
  const jobs = ids.map((id) => ({ job_id: id, filename: `${total} ${id}` })) as JobList['jobs'];
  return {
    jobs,
    page,
    per: 20,
    total,
    total_pages: 1,
    total_is_floor: false,
    older: null,
    newer: null,
    has_running: false,
    query_chips: [],
    query_errors: [],
    active_tags: [],
  };
}

it('keeps its rows where they are, and counts what is newer', () => {
  const { rows, arrived } = settledRows(list([3, 2, 1]), list([5, 4, 3, 2, 1]));
  expect(rows.map(({ job_id: id }) => id)).toEqual([3, 2, 1]);
  expect(rows[0]?.filename).toBe('5 3');
  expect(arrived).toBe(2);
});

it('does not take a deletion for fewer arrivals', () => {
  expect(settledRows(list([3, 2, 1]), list([4, 3, 1])).arrived).toBe(1);
});

it('counts by the totals when a page is full of newer ones', () => {
  expect(settledRows(list([2, 1], { total: 2 }), list([9, 8], { total: 9 })).arrived).toBe(7);
});

it('announces nothing above a later page', () => {
  expect(settledRows(list([2, 1], { page: 2 }), list([9, 8], { page: 2 })).arrived).toBe(0);
});
