import type { AiFact } from '@svc/contracts';
import { expect, it } from 'vitest';
import { answerParts } from './answer-parts.ts';
import { factFinder } from './mark-facts.ts';

const fact = (value: string): AiFact => ({
  kind: 'host',
  value,
  in_evidence: true,
  job_id: null,
  finding_id: null,
  entity_id: null,
});

it('finds values in whatever capitals, the longest first, and none within a word', () => {
  const find = factFinder([fact('ws01'), fact('ws01.corp.example'), fact('C:\\a (x)')]);
  const text = 'WS01, ws011, ws01.corp.example and c:\\A (x).';
  expect(find(text).map(({ from, to, fact: place }) => [text.slice(from, to), place])).toEqual([
    ['WS01', 0],
    ['ws01.corp.example', 1],
    ['c:\\A (x)', 2],
  ]);
  expect(factFinder([])('anything')).toEqual([]);
});

it('parts an answer before headings that are none of a listing, and loses nothing', () => {
  const text = ['intro', '', '# One', '- a', '', '- b', '```', '# no heading', '```', '## Two', 'end'].join('\n');
  const parts = answerParts(text);
  expect(parts).toEqual(['intro\n', '# One\n- a\n\n- b\n```\n# no heading\n```', '## Two\nend']);
  expect(parts.join('\n')).toBe(text);
  const long = Array.from({ length: 300 }, () => 'words '.repeat(30)).join('\n\n');
  expect(answerParts(long).every((part) => part.length < 20_000)).toBe(true);
  expect(answerParts(long).join('\n')).toBe(long);
});
