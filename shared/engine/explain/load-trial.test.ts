import { expect, it } from 'vitest';
import { loadTrial } from './load-trial.ts';

const rule = (more = '', category = 'process_creation'): string =>
  `title: T\nid: 2F3C1A10-0000-4000-8000-000000000001\n${more}logsource: {product: windows, category: ${category}}\ndetection: {s: {EventID: 1}, condition: s}\n`;

it('tells what loads, and what is wrong with what does not', () => {
  const trial = loadTrial(
    `${rule()}---\ntitle: Bad\nlogsource: {product: windows}\ndetection: {s: {A|x: 1}, condition: s}\n`,
  );
  expect(trial.rules).toEqual([
    { id: '2f3c1a10-0000-4000-8000-000000000001', title: 'T', level: 'informational', isCorrelation: false },
  ]);
  expect(trial.rejected).toMatchObject([{ line: 8, message: expect.stringContaining('x') }]);
  expect(trial.warnings).toEqual([]);
});

it('tries rules of every status, and warns of what can give no finding', () => {
  expect(loadTrial(rule('status: deprecated\n'))).toMatchObject({
    rules: [{ title: 'T' }],
    warnings: [{ line: 3, message: expect.stringContaining('packs leave it out') }],
  });
  expect(loadTrial(rule('', 'tea_leaves')).warnings).toMatchObject([
    { message: expect.stringContaining('tea_leaves') },
  ]);
});
