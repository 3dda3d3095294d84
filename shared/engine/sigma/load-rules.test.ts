import { describe, expect, it } from 'vitest';
import { matching, refusal, ruleOf } from '../testing/rule-check.ts';
import { loadRules, type LoadedRules } from './load-rules.ts';

const good = 'title: Good\nlogsource: {product: windows}\ndetection: {s: {A: a}, condition: s}\n';

function load(text: string): LoadedRules {
  return loadRules([{ path: 'r.yml', text }]);
}

function titles({ rules }: LoadedRules): readonly string[] {
  return rules.rules.map(({ title }) => title);
}

function problems({ rejected }: LoadedRules): readonly string[] {
  return rejected.map(({ line, message }) => `${line}: ${message}`);
}

describe('documents (1.1)', () => {
  it('keeps of a rule what outputs need, with its own text', () => {
    const text = `title: T
id: 0A1B2C3D-0000-4000-8000-00000000000F
name: the_name
status: test
level: High
author: Somebody, Somebody else
date: 2024-01-02
tags: [attack.execution, attack.t1059.001]
logsource: {Product: x, product: Windows, category: Process_Creation, service: SYSMON, definition: text}
detection: {s: {A: a}, condition: s}
`;
    expect(load(text).rules.rules[0]).toMatchObject({
      id: '0a1b2c3d-0000-4000-8000-00000000000f',
      name: 'the_name',
      title: 'T',
      level: 'high',
      status: 'test',
      author: 'Somebody, Somebody else',
      tags: ['attack.execution', 'attack.t1059.001'],
      logSource: { product: 'windows', category: 'process_creation', service: 'sysmon' },
      path: 'r.yml',
      source: text,
    });
  });

  it('takes what a rule leaves out for what the specification says', () => {
    expect(load(good).rules.rules[0]).toMatchObject({
      id: null,
      name: null,
      level: 'informational',
      status: 'experimental',
      author: null,
      tags: [],
    });
  });

  it('reads several documents of a file, and a bad one stops no other', () => {
    const bad = ['title: [', 'title: None\n', 'just text', '- a\n- list', good.replace('condition: s', 'condition: x')];
    const text = [good, ...bad, good.replace('Good', 'Better')].join('\n---\n');
    const loaded = load(text);
    expect(titles(loaded)).toEqual(['Good', 'Better']);
    expect(loaded.loaded).toBe(2);
    expect(problems(loaded)).toEqual([
      expect.stringMatching(/^6: .*YAML/),
      expect.stringMatching(/^8: .*neither detection/),
      expect.stringMatching(/^11: .*not a map/),
      expect.stringMatching(/^13: .*not a map/),
      expect.stringMatching(/^18: .*“x”/),
    ]);
  });

  it.each([
    ['---\n', '', 1],
    ['# a comment\n---\n', '', 1],
    ['\uFEFF', '', 1],
    ['--- # first\n', '\n...\n', 1],
    ['', '...\n# nothing\n', 1],
    ['%YAML 1.2\n---\n', '', 1],
    ['', `---\n---\n\n---\n${good}`, 2],
    ['', `...\n---\n${good}`, 2],
    ['', `...\n${good}`, 2],
  ])('%j before and %j after a document make %i', (before, after, count) => {
    const loaded = load(before + good + after);
    expect(problems(loaded)).toEqual([]);
    expect(titles(loaded)).toHaveLength(count);
  });

  it('takes either line ending', () => {
    const loaded = load(`${good}---\n${good.replace('condition: s', 'condition: x')}`.replaceAll('\n', '\r\n'));
    expect(titles(loaded)).toEqual(['Good']);
    expect(problems(loaded)).toEqual([expect.stringMatching(/^7: /)]);
  });

  it('keeps the text of marks within a block', () => {
    const text = `title: T\ndescription: |\n  one\n  ---\n  two\n${good.replace('title: Good\n', '')}`;
    expect(titles(load(text))).toEqual(['T']);
  });

  it('expands aliases within bounds', () => {
    const text = `title: T
logsource: {product: windows}
detection:
  one: &one {A: &list [a, b]}
  two: {B: *list}
  three: *one
  condition: all of them
`;
    const record = { channel: 'X', data: { A: 'b', B: 'a' } };
    expect(matching(text, record)).toEqual([true]);
    expect(matching(text, { ...record, data: { A: 'b', B: 'c' } })).toEqual([false]);
  });

  it.each([
    ['a key twice', `${good}title: Again\n`, 4, 'duplicate'],
    ['a key of a detection twice', ruleOf('s:\n  A: a\n  A: b\ncondition: s'), 6, 'duplicate'],
    ['a tag that is not core', ruleOf('s: {A: !!binary aGVsbG8=}\ncondition: s'), 4, 'tag'],
    ['a tag of its own', ruleOf('s: {A: !x y}\ncondition: s'), 4, 'tag'],
    ['an unknown alias', ruleOf('s: {A: *nobody}\ncondition: s'), 4, 'alias'],
    ['an open bracket', ruleOf('s: {A: [a, b}\ncondition: s'), 4, 'YAML'],
    ['a tab for indentation', 'title: T\ndetection:\n\ts: a\n', 3, 'YAML'],
  ])('refuses %s, at its line', (_, text, line, reason) => {
    const refused = refusal(text);
    expect(refused?.message).toContain(reason);
    expect(refused?.line).toBe(line);
  });

  it('leaves dates, old booleans and octals the texts they are', () => {
    const rule = ruleOf('s: {A: 2024-01-02, B: on, C: 0777, D: 12:30:45, E: 1_000, F: =, G: 0o17}\ncondition: s');
    const data = { A: '2024-01-02', B: 'on', D: '12:30:45', E: '1_000', F: '=' };
    for (const [C, G, expected] of [
      ['777', '15', true],
      ['0777', '15', false],
      ['777', '0o17', false],
    ] as const) {
      expect(matching(rule, { channel: 'X', data: { ...data, C, G } })).toEqual([expected]);
    }
  });

  it('loads files one after another, and names the one a problem is in', () => {
    const loaded = loadRules([
      { path: 'a.yml', text: good },
      { path: 'b.yml', text: 'title: Bad\n' },
      { path: 'c.yml', text: good },
    ]);
    expect(loaded.rules.rules.map(({ path }) => path)).toEqual(['a.yml', 'c.yml']);
    expect(loaded.rejected).toMatchObject([{ path: 'b.yml', line: 1 }]);
  });

  it('gives nothing of nothing', () => {
    expect(loadRules([])).toMatchObject({ rules: { rules: [] }, loaded: 0, rejected: [], warnings: [] });
    expect(load('')).toMatchObject({ loaded: 0, rejected: [] });
    expect(load('# only a comment\n')).toMatchObject({ loaded: 0, rejected: [] });
  });
});

describe('rules that are refused', () => {
  it.each([
    [good.replace('title: Good', 'name: x'), 1, 'no title'],
    [good.replace('Good', '""'), 1, 'no title'],
    [good.replace('Good', '[a]'), 1, 'no title'],
    [`${good}level: urgent\n`, 4, 'level'],
    [`${good}level: [high]\n`, 4, 'level'],
    [`${good}taxonomy: other\n`, 4, 'taxonomy'],
    [`${good}action: global\n`, 4, 'action'],
    ['action: repeat\n', 1, 'action'],
    ['title: T\naction: reset\ndetection: {}\n', 2, 'action'],
    [good.replace('logsource: {product: windows}', 'x: y'), 1, 'no logsource'],
    [good.replace('{product: windows}', 'windows'), 2, 'no logsource'],
    [good.replace('{product: windows}', '{definition: x}'), 2, 'states nothing'],
    [good.replace('{product: windows}', '{product: [windows]}'), 2, 'not text'],
    [good.replace('{product: windows}', '\n  product: windows\n  service: 5'), 4, 'not text'],
    ['title: T\nlogsource: {product: windows}\n', 1, 'neither detection'],
  ])('%j: line %i, %s', (text, line, reason) => {
    const refused = refusal(text);
    expect(refused?.message).toContain(reason);
    expect(refused?.line).toBe(line);
  });

  it('takes the taxonomy that Sigma has', () => {
    expect(refusal(`${good}taxonomy: sigma\n`)).toBeNull();
  });

  it.each([
    ["'Field|nope': [a]", 'selection', 12, 'nope'],
    ["'Field|re':\n        - a\n        - '('", 'selection', 14, 'regular expression'],
    ["'Field|re': [a,\n        '(']", 'selection', 13, 'regular expression'],
    ['Field: b', '1 of', 13, 'nothing after'],
    ['Field: []', 'selection', 12, 'empty list'],
  ])('names the line of the construct, wherever the same words stand: %j, %s', (item, condition, line, reason) => {
    const text = `title: selection
description: |
  condition: selection has Field|nope
logsource:
  product: windows
detection:
  selection_other:
    Field: a
  selection:
    - Field: b
    - Other: c
      ${item}
  condition: ${condition}
`;
    expect(refusal(text)).toEqual({ line, message: expect.stringContaining(reason) as string });
    expect(refusal(`# first\n---\n${text}`)?.line).toBe(line + 2);
  });
});

describe('status, doubles and log sources', () => {
  it.each([
    ['stable', 1],
    ['test', 1],
    ['experimental', 1],
    ['deprecated', 0],
    ['unsupported', 0],
  ])('status %s: %i loaded, unless told otherwise', (status, count) => {
    const files = [{ path: 'r.yml', text: `${good}status: ${status}\n` }];
    expect(loadRules(files).loaded).toBe(count);
    expect(loadRules(files, { includeRetired: true }).loaded).toBe(1);
    expect(loadRules(files).rejected).toEqual([]);
    expect(loadRules(files).retired).toHaveLength(1 - count);
  });

  it('leaves out what is retired, whatever its kind and whether or not it would load', () => {
    const bad = good.replace('condition: s', 'condition: s | count() > 5');
    const correlation = 'title: C\ncorrelation: {type: temporal, rules: [x], timespan: 1m}\n';
    const filter = 'title: F\nlogsource: {product: windows}\nfilter: {rules: any, s: {A: a}, condition: not s}\n';
    for (const text of [bad, correlation, filter]) {
      const loaded = load(`${text}status: unsupported\n`);
      expect(loaded.rejected).toEqual([]);
      expect(loaded.retired).toEqual([
        { path: 'r.yml', line: text.split('\n').length, message: 'The rule’s status is unsupported' },
      ]);
    }
    const filtered = load(`${good}---\n${filter}status: deprecated\n`);
    expect(filtered.rules.rules[0]!.expression).toEqual(load(good).rules.rules[0]!.expression);
  });

  it('warns of an id that a correlation shares with a rule, at its line', () => {
    const id = 'id: 0a1b2c3d-0000-4000-8000-00000000000f\n';
    const correlation = `title: C\n${id}correlation: {type: event_count, rules: good, timespan: 1m, condition: {gte: 1}}\n`;
    const { loaded, warnings } = load(`${good}name: good\n${id}---\n${correlation}`);
    expect(loaded).toBe(2);
    expect(warnings).toMatchObject([{ path: 'r.yml', line: 8 }]);
  });

  it('keeps both rules of one id, and warns', () => {
    const id = 'id: 0a1b2c3d-0000-4000-8000-00000000000f\n';
    const loaded = loadRules([
      { path: 'a.yml', text: good + id },
      { path: 'b.yml', text: good + id.toUpperCase().replace('ID', 'id') },
    ]);
    expect(loaded.loaded).toBe(2);
    expect(loaded.warnings).toMatchObject([{ path: 'b.yml', message: expect.stringContaining('a.yml') as string }]);
  });

  it('counts rules that no input can satisfy yet, by log source', () => {
    const of = (source: string): string => good.replace('{product: windows}', source);
    const loaded = load(
      [
        of('{product: windows}'),
        of('{category: process_creation}'),
        of('{product: windows, service: sysmon, category: image_load}'),
        of('{category: antivirus}'),
        of('{product: rpc_firewall, category: application}'),
        of('{product: unheard, service: of}'),
        of('{product: Unheard, service: OF}'),
        of('{product: windows, service: nowhere}'),
      ].join('---\n'),
    );
    expect(loaded.loaded).toBe(8);
    expect(loaded.withoutInput).toEqual({ 'unheard/-/of': 2, 'windows/-/nowhere': 1 });
  });
});
