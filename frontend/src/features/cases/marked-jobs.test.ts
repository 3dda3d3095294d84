import type { CaseTimelineJob } from '@svc/contracts';
import { expect, it } from 'vitest';
import { markedJobs, ownColors } from './marked-jobs.ts';

const job = (id: number, matches: number): CaseTimelineJob => ({
  id,
  filename: `${id}.evtx`,
  status: 'completed',
  clock_offset: 0,
  covered: true,
  matches,
  first: null,
  last: null,
});

it('gives colours to the logs with the most matches', () => {
  const jobs = Array.from({ length: ownColors + 2 }, (_, at) => job(at + 1, at === 4 ? 9 : 1));
  const marked = markedJobs(jobs);
  expect(marked.slice(0, 3).map(({ id, color }) => [id, color])).toEqual([
    [5, '--log-1'],
    [1, '--log-2'],
    [2, '--log-3'],
  ]);
  expect(marked.slice(ownColors).map(({ color }) => color)).toEqual(['--log-other', '--log-other']);
});
