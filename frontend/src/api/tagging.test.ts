import type { JobRow, Tag } from '@svc/contracts';
import { expect, it } from 'vitest';
import { changedJob, tagChange } from './tagging.ts';

const tag = (name: string): Tag => ({ tag: name, color: 'red' });
const job = (id: number, ...names: string[]) => ({ job_id: id, tags: names.map(tag) }) as unknown as JobRow;

it('gives a tag to those without it, so that taking it back leaves the others theirs', () => {
  const jobs = [job(1, 'seen'), job(2), job(3, 'other')];
  const change = tagChange(tag('seen'), jobs);
  expect(change).toMatchObject({ isAdded: true, jobs: [{ job_id: 2 }, { job_id: 3 }] });
  const tagged = change.jobs.map((one) => changedJob(one, change));
  expect(tagged.map(({ tags }) => tags.map((one) => one.tag))).toEqual([['seen'], ['other', 'seen']]);
  const undone = tagged.map((one) => changedJob(one, { ...change, isAdded: false }));
  expect(undone).toEqual([job(2), job(3, 'other')]);
});

it('takes a tag off when all have it', () => {
  const jobs = [job(1, 'seen'), job(2, 'seen', 'other')];
  expect(tagChange(tag('seen'), jobs)).toMatchObject({ isAdded: false, jobs: [{ job_id: 1 }, { job_id: 2 }] });
});
