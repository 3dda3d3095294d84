import { expect, it } from 'vitest';
import { changedRules, rulesView } from './rules-view.ts';

it('reads the address, and drops what makes no sense', () => {
  const all = {
    q: 'lsass',
    level: 'high',
    tactic: 'impact',
    technique: 'T1003.001',
    status: 'test',
    fired: 'no',
    source: 'windows',
    decided: true,
    order: 'slow',
    page: 3,
    rule: 'a',
  };
  expect(rulesView(all)).toEqual(all);
  expect(
    rulesView({
      q: 5,
      level: 'worst',
      tactic: 'x',
      technique: 'x',
      fired: 'often',
      decided: 'no',
      order: 'x',
      page: -1,
    }),
  ).toEqual({});
});

it('begins at the first page with another filter, and not with another rule', () => {
  expect(changedRules({ page: 3, q: 'a' }, { q: undefined, level: 'low' })).toEqual({ level: 'low' });
  expect(changedRules({ page: 3, q: 'a' }, { rule: 'b' })).toEqual({ page: 3, q: 'a', rule: 'b' });
});
