import { expect, it } from 'vitest';
import { knownHint, seenWords } from './known-words.ts';

it.each([
  [{ jobs: 0, jobs_before: 0 }, 'New here: in no other job that you may see'],
  [{ jobs: 1, jobs_before: 0 }, 'New here, then in 1 later job'],
  [{ jobs: 2, jobs_before: 2 }, 'Seen before, in 2 jobs'],
  [{ jobs: 3, jobs_before: 1 }, 'Seen before, in 1 job, and in 2 later ones'],
])('says of %j where else it was seen', (entity, words) => {
  expect(seenWords(entity)).toBe(words);
});

it('tells what is known of a value, a line for each thing', () => {
  const at = '2026-08-01T10:00:00Z';
  const entity = { id: 1, value: 'a', entity_type: 'user' as const, jobs: 2, jobs_before: 2 };
  const bare = { ...entity, first_seen_at: at, last_seen_at: at, allowlisted: false, tags: [] };
  expect(knownHint(bare)).toBe('Seen before, in 2 jobs\nAnalysed 2026-08-01 10:00:00 UTC');
  const tags = [
    { tag: 'apt/28', color: 'red' as const },
    { tag: 'c2', color: 'red' as const },
  ];
  expect(knownHint({ ...bare, last_seen_at: '2026-08-02T10:00:00Z', allowlisted: true, tags }).split('\n')).toEqual([
    'Seen before, in 2 jobs',
    'First analysed 2026-08-01 10:00:00, last 2026-08-02 10:00:00 UTC',
    'Tags: apt/28, c2',
    'Allowlisted',
  ]);
});
