import { describe, expect, it } from 'vitest';
import { readRule } from './read-rule.ts';

const rule = (detection: string) =>
  `title: T\nlogsource:\n  product: windows\n  category: process_creation\ndetection:\n${detection}`;

describe('readRule', () => {
  it('reads what a responder makes of a match, where the rule says so', () => {
    const explained = (explanation: string) =>
      readRule(`title: T\n${explanation}detection: {s: {a: b}, condition: s}\n`);
    expect(explained('')?.explanation).toBeNull();
    expect(explained('explanation: {check: [Who?]}\n')?.explanation).toBeNull();
    expect(
      explained('explanation: {meaning: "It\n  runs.", check: [Who?, Where?], benign: Installers.}\n')?.explanation,
    ).toEqual({
      meaning: 'It runs.',
      check: ['Who?', 'Where?'],
      benign: 'Installers.',
    });
    expect(explained('explanation: {meaning: It runs.}\n')?.explanation).toEqual({
      meaning: 'It runs.',
      check: [],
      benign: null,
    });
  });

  it('reads what stands before the source', () => {
    const facts = readRule(`---
title: A rule
description: |
  Two
  lines
author: J. Doe
status: test
date: 2024-01-02
modified: 2025-03-04
references:
  - https://example.org/a
falsepositives: [Unknown]
logsource: {product: windows, service: security}
detection: {condition: x}
`);
    expect(facts).toMatchObject({
      description: 'Two lines',
      author: 'J. Doe',
      status: 'test',
      date: '2025-03-04',
      logsource: 'windows / security',
      references: ['https://example.org/a'],
      falsePositives: ['Unknown'],
    });
  });

  it('finds the fields and texts of selections', () => {
    const facts = readRule(
      rule(String.raw`  selection_img:
    - Image|endswith: '\certutil.exe'
    - OriginalFileName: CertUtil.exe
  selection_cli:
    CommandLine|contains|all|windash:
      - ' -urlcache'
      - http
    EventID: 1
    Hashes|re: 'IMPHASH=.*'
    Data|base64offset|contains: x
  keywords: [mimikatz]
  condition: all of selection_* or keywords
`),
    );
    expect(facts?.terms).toEqual([
      { field: 'Image', comparison: 'endswith', anyDash: false, values: ['\\certutil.exe'] },
      { field: 'OriginalFileName', comparison: 'equals', anyDash: false, values: ['CertUtil.exe'] },
      { field: 'CommandLine', comparison: 'contains', anyDash: true, values: [' -urlcache', 'http'] },
      { field: 'EventID', comparison: 'equals', anyDash: false, values: ['1'] },
      { field: 'Hashes', comparison: 'other', anyDash: false, values: ['IMPHASH=.*'] },
      { field: 'Data', comparison: 'other', anyDash: false, values: ['x'] },
      { field: null, comparison: 'contains', anyDash: false, values: ['mimikatz'] },
    ]);
  });

  it.each([
    ['selection and not filter', ['selection', 'filter_b']],
    ['selection and not 1 of filter*', ['selection']],
    ['selection and not (filter or filter_b)', ['selection']],
    ['not filter and selection and filter_b', ['selection', 'filter_b']],
    ['selection or filter or filter_b', ['selection', 'filter', 'filter_b']],
  ])('leaves out what the condition wants absent: %s', (condition, expected) => {
    const facts = readRule(
      rule(
        `  selection: {A: selection}\n  filter: {A: filter}\n  filter_b: {A: filter_b}\n  condition: ${condition}\n`,
      ),
    );
    expect(facts?.terms.flatMap(({ values }) => values)).toEqual(expected);
  });

  it.each(['', 'just text', ': : :\n -', '- a\n- b'])('is null for what is no rule: %j', (text) => {
    expect(readRule(text)).toBeNull();
  });
});
