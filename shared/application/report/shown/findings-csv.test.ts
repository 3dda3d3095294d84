import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';
import { findingsCsv, type TabledFinding } from './findings-csv.ts';

const finding: TabledFinding = {
  severity: 'high',
  rule_name: 'Shell started',
  rule_id: null,
  count: 3,
  first_seen: '2026-08-01T10:01:00Z',
  last_seen: null,
  tags: ['attack.execution', 'attack.t1059'],
  rule_author: null,
  tool: 'sigma-native',
  found_by: ['sigma-native'],
};

describe('a line of a table', () => {
  it.each([
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1', "'+1"],
    ['-1+cmd|x', "'-1+cmd|x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['say "so"', '"say ""so"""'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('takes %j as text', (value, cell) => {
    expect(csvLine([value, 'x'])).toBe(`${cell},x\r\n`);
  });

  it('leaves what is not known empty', () => {
    expect(csvLine([null, 0, 'é'])).toBe(',0,é\r\n');
  });
});

describe('findings as a table', () => {
  it('have a head, and a line each', () => {
    expect(findingsCsv([finding, { ...finding, rule_name: '=1', rule_author: 'J, Doe' }])).toBe(
      [
        'severity,rule,rule_id,events,first_seen,last_seen,tags,rule_author,engine,found_by,suppressed',
        'high,Shell started,,3,2026-08-01T10:01:00Z,,attack.execution attack.t1059,,sigma-native,sigma-native,0',
        `high,'=1,,3,2026-08-01T10:01:00Z,,attack.execution attack.t1059,"J, Doe",sigma-native,sigma-native,0`,
        '',
      ].join('\r\n'),
    );
  });

  it('are the head alone where there are none', () => {
    expect(findingsCsv([]).split('\r\n')).toHaveLength(2);
  });
});
