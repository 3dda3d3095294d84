import { describe, expect, it } from 'vitest';
import { matching, refusal } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';

const id = '0a1b2c3d-0000-4000-8000-00000000000f';
const rule = `title: Rule
id: ${id}
name: a_rule
logsource: {product: windows, category: process_creation}
detection: {selection: {Image: a}, condition: selection}
`;
const other = `title: Other
id: 0a1b2c3d-0000-4000-8000-000000000001
logsource: {product: windows, category: process_creation}
detection: {selection: {Image: a}, condition: selection}
`;

function filter(
  rules: string,
  detection: string,
  logSource = '{product: windows, category: process_creation}',
): string {
  return `title: Filter\nlogsource: ${logSource}\nfilter:\n  rules: ${rules}\n  ${detection}\n`;
}

/** Whether the rule and the other one hold for this user's process, with these filters. */
function holding(user: string, ...filters: readonly string[]): readonly boolean[] {
  const record = {
    channel: 'Microsoft-Windows-Sysmon/Operational',
    provider: 'Microsoft-Windows-Sysmon',
    eventId: 1,
    data: { Image: 'a', User: user },
  };
  return matching([rule, other, ...filters].join('---\n'), record);
}

const notAdmin = 'selection: {User: admin}\n  condition: not selection';

describe('filters (1.7)', () => {
  it.each([
    [id, [false, true]],
    [id.toUpperCase(), [false, true]],
    ['a_rule', [false, true]],
    ['A_Rule', [false, true]],
    [`[${id}]`, [false, true]],
    ['[a_rule, 0a1b2c3d-0000-4000-8000-000000000001]', [false, false]],
    ['any', [false, false]],
    ['ANY', [false, false]],
    ['[]', [false, false]],
    ['nobody', [true, true]],
    ['Rule', [true, true]],
  ])('for %s', (rules, expected) => {
    expect(holding('admin', filter(rules, notAdmin))).toEqual(expected);
    expect(holding('someone', filter(rules, notAdmin))).toEqual([true, true]);
  });

  it.each([
    ['{product: windows}', false],
    ['{Category: x, category: process_creation}', false],
    ['{product: WINDOWS, category: Process_Creation}', false],
    ['{product: windows, category: image_load}', true],
    ['{product: windows, category: process_creation, service: sysmon}', true],
    ['{product: linux}', true],
  ])('with log source %s leaves the rule as it is: %s', (logSource, expected) => {
    expect(holding('admin', filter('any', notAdmin, logSource))[0]).toBe(expected);
  });

  it('narrow, several of them together', () => {
    const more = filter('a_rule', 'selection: {User: guest}\n  condition: not selection');
    expect(holding('admin', filter('a_rule', notAdmin), more)).toEqual([false, true]);
    expect(holding('guest', filter('a_rule', notAdmin), more)).toEqual([false, true]);
    expect(holding('someone', filter('a_rule', notAdmin), more)).toEqual([true, true]);
  });

  it('apply to rules that stand before and after them', () => {
    const text = [filter('any', notAdmin), rule].join('---\n');
    const record = { channel: 'Security', eventId: 4688, data: { NewProcessName: 'a', SubjectUserName: 'x' } };
    expect(matching(text, record)).toEqual([true]);
  });

  it('have names of their own, which the rule does not see, nor they its', () => {
    const hidden = `title: Hidden\nlogsource: {product: windows, category: process_creation}
detection: {selection: {Image: a}, condition: 1 of them}\n`;
    const own = filter('any', 'selection_more: {User: admin}\n  selection: {User: nobody}\n  condition: not 1 of them');
    const record = { channel: 'Microsoft-Windows-Sysmon/Operational', eventId: 1 };
    expect(matching(`${hidden}---\n${own}`, { ...record, data: { Image: 'b', User: 'admin' } })).toEqual([false]);
    expect(matching(`${hidden}---\n${own}`, { ...record, data: { Image: 'a', User: 'admin' } })).toEqual([false]);
    expect(matching(`${hidden}---\n${own}`, { ...record, data: { Image: 'a', User: 'x' } })).toEqual([true]);
    expect(refusal(filter('any', 'x: {A: b}\n  condition: not selection'))?.message).toContain('“selection”');
  });

  it('without a not keep what they describe, with a warning', () => {
    const keep = filter('any', 'selection: {User: admin}\n  condition: selection');
    expect(holding('admin', keep)).toEqual([true, true]);
    expect(holding('someone', keep)).toEqual([false, false]);
    const { warnings } = loadRules([{ path: 'f.yml', text: keep }]);
    expect(warnings).toEqual([{ path: 'f.yml', line: 3, message: expect.stringContaining('no “not”') as string }]);
  });

  it('do not change the rules as they are shown', () => {
    const loaded = loadRules([{ path: 'r.yml', text: `${rule}---\n${filter('any', notAdmin)}` }]);
    expect(loaded.loaded).toBe(1);
    expect(loaded.rules.rules[0]!.source).not.toContain('admin');
  });

  it.each([
    ['title: F\nlogsource: {product: windows}\nfilter: text\n', 'not a map', 3],
    ['title: F\nlogsource: {product: windows}\nfilter: {s: {A: a}, condition: not s}\n', 'names no rules', 3],
    ['title: F\nfilter:\n  rules: any\n  s: {A: a}\n  condition: not s\n', 'no logsource', 1],
    [filter('any', 'condition: not s'), 'no identifier', 3],
    [filter('any', "s: {'A|nope': a}\n  condition: not s"), 'nope', 5],
  ])('%j is refused: %s', (text, reason, line) => {
    expect(refusal(text)).toEqual({ line, message: expect.stringContaining(reason) as string });
  });
});
