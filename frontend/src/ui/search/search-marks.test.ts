import { parseSearch } from '@svc/domain';
import { expect, it } from 'vitest';
import { searchMarks, typedProblems } from './search-marks.ts';

it('cuts a search into its terms and the gaps between them, and loses nothing', () => {
  const text = '  srv01* -status:failed,"x y"  sev:high ';
  const marks = searchMarks(parseSearch(text), text);
  expect(marks.map((mark) => mark.text).join('')).toBe(text);
  expect(marks.filter(({ kind }) => kind !== 'gap').map(({ kind, text: term }) => [kind, term])).toEqual([
    ['term', 'srv01*'],
    ['excluded', '-status:failed,"x y"'],
    ['term', 'sev:high'],
  ]);
});

it('names what cannot be used, by the grammar and by what the service told', () => {
  const told = [{ start: 0, reason: 'Tags are for members' }];
  const problems = searchMarks(parseSearch('tag:vip status:lost'), 'tag:vip status:lost', told).flatMap(
    ({ problem }) => problem ?? [],
  );
  expect(problems[0]).toBe('Tags are for members');
  expect(problems[1]).toMatch(/“lost” is no/);
});

it('does not complain about a term while it is typed', () => {
  expect(typedProblems(parseSearch('status:fai'), 10)).toEqual([]);
  expect(typedProblems(parseSearch('status:fai x'), 12)).toMatchObject([{ term: 'status:fai' }]);
});
