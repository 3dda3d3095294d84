import { describe, expect, it } from 'vitest';
import { linesOfPairs, linesOfVerdicts, pairsOf, summaryFieldsOf, verdictRulesOf } from './enrichment-lines.ts';

describe('lines of an enrichment service', () => {
  it('are pairs, and come back as they were', () => {
    const text = 'X-Key: {token}\nAccept: a:b';
    expect(pairsOf(`\n ${text}\n\n`)).toEqual([
      ['X-Key', '{token}'],
      ['Accept', 'a:b'],
    ]);
    expect(linesOfPairs(pairsOf(text))).toBe(text);
    expect(summaryFieldsOf('score: /data/score')).toEqual([{ label: 'score', pointer: '/data/score' }]);
    expect(() => pairsOf('nothing')).toThrow('“nothing” has no name');
  });

  it('are verdicts with their conditions, and come back as they were', () => {
    const text = 'malicious: /a/score >= 75\nclean: /class = benign host\nsuspicious: /pulses';
    expect(verdictRulesOf(text)).toEqual([
      { verdict: 'malicious', pointer: '/a/score', at_least: 75 },
      { verdict: 'clean', pointer: '/class', is: 'benign host' },
      { verdict: 'suspicious', pointer: '/pulses' },
    ]);
    expect(linesOfVerdicts(verdictRulesOf(text))).toBe(text);
    expect(() => verdictRulesOf('bad: /a')).toThrow('“bad” is no verdict');
    expect(() => verdictRulesOf('clean: a')).toThrow('does not begin with a pointer');
    expect(() => verdictRulesOf('clean: /a >= x')).toThrow('“x” is no number');
  });
});
