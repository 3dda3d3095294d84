import { describe, expect, it } from 'vitest';
import { packRules, unpackRules } from './artifact.ts';
import { combineRules, everyRule, type RuleOverride } from './combine-rules.ts';
import { loadRules } from './load-rules.ts';
import type { RuleSet } from './rule-set.ts';

const id = (last: number): string => `0b1f4ed2-67b5-4d2a-8a5e-00000000000${last}`;

function rule(last: number, more: string): string {
  return `title: R${last}\nid: ${id(last)}\nname: r${last}\n${more}
detection: {s: {Image|endswith: 'r${last}.exe'}, condition: s}\n`;
}

const windows = 'logsource: {product: windows, category: process_creation}';
const first = [
  rule(1, `level: high\nstatus: stable\ntags: [attack.execution, attack.T1059.001]\n${windows}`),
  rule(2, `level: low\nstatus: test\ntags: [attack.t1021]\n${windows}`),
  rule(3, `level: low\nlogsource: {product: linux}`),
  `title: Many R3\nid: ${id(4)}\nlevel: high\ncorrelation:
  type: event_count\n  rules: r3\n  group-by: [User]\n  timespan: 1m\n  condition: {gte: 3}\n`,
];
const second = [rule(5, `level: critical\nstatus: stable\n${windows}`)];

function part(texts: readonly string[], overrides: Record<string, RuleOverride> = {}) {
  const { rules } = loadRules(texts.map((text, at) => ({ path: `${at}.yml`, text })));
  // As they come from the store.
  return { rules: unpackRules(packRules(rules)), overrides: new Map(Object.entries(overrides)) };
}

/** Titles of what gives findings. */
function heard({ rules, correlations, silent }: RuleSet): string[] {
  const loud = <T>(list: readonly T[], quiet: readonly number[]) => list.filter((_, at) => !quiet.includes(at));
  return [...loud(rules, silent.rules), ...loud(correlations, silent.correlations)].map(({ title }) => title);
}

describe('rules combined', () => {
  it('are those of all sets, correlations with what they count', () => {
    const set = combineRules([part(second), part(first)]);
    expect(heard(set)).toEqual(['R5', 'R1', 'R2', 'Many R3']);
    expect(set.rules.map(({ title }) => title)).toEqual(['R5', 'R1', 'R2', 'R3']);
    expect(set.correlations[0]!.inputs).toMatchObject([{ kind: 'rule', place: 3 }]);
    expect(heard(unpackRules(packRules(set).slice()))).toEqual(heard(set));
  });

  it.each([
    [{ minLevel: 'high' as const }, ['R1', 'Many R3', 'R5']],
    [{ statuses: ['stable'] }, ['R1', 'R5']],
    [{ logSources: [{ product: 'linux' }] }, ['Many R3']],
    [{ logSources: [{ product: 'windows', category: 'process_creation' }] }, ['R1', 'R2', 'R5']],
    [{ tags: ['attack.t1059'] }, ['R1']],
    [{ tags: ['attack.t1059.001', 'attack.T1021'] }, ['R1', 'R2']],
    [{ include: [id(2), id(4).toUpperCase()] }, ['R2', 'Many R3']],
    [{ exclude: [id(4), id(5)] }, ['R1', 'R2']],
    [{ include: [id(2)], minLevel: 'high' as const }, []],
  ])('are selected by %j', (selection, titles) => {
    const set = combineRules([part(first), part(second)], { ...everyRule, ...selection });
    expect(heard(set).sort()).toEqual([...titles].sort());
  });

  it('are there once where several sets have them alike', () => {
    const changed = first.map((text) => text.replace("'r3.exe'", "'r3.dll'"));
    const filter = `title: F\n${windows}\nfilter: {rules: ['${id(2)}'], s: {User: x}, condition: not s}\n`;
    expect(heard(combineRules([part(first), part([...second, ...first])]))).toEqual(['R1', 'R2', 'R5', 'Many R3']);
    expect(heard(combineRules([part(first), part(changed)]))).toEqual(['R1', 'R2', 'Many R3', 'Many R3']);
    expect(heard(combineRules([part(first), part([...first, filter])]))).toEqual(['R1', 'R2', 'R2', 'Many R3']);
    const raised = { [id(1)]: { enabled: true, level: 'critical' as const } };
    const set = combineRules([part(first), part(first, raised)]);
    expect(set.rules.filter(({ title }) => title === 'R1').map(({ level }) => level)).toEqual(['high', 'critical']);
  });

  it('follow what was decided about them, of one set alone', () => {
    const overrides = {
      [id(1)]: { enabled: false, level: null },
      [id(2)]: { enabled: true, level: 'critical' as const },
      [id(3)]: { enabled: false, level: null },
    };
    const set = combineRules([part(first, overrides), part(first.slice(0, 1))], { ...everyRule, minLevel: 'high' });
    expect(heard(set)).toEqual(['R2', 'R1', 'Many R3']);
    expect(set.rules.find(({ title }) => title === 'R2')).toMatchObject({ level: 'critical', name: 'r2' });
    // What a correlation counts is counted though it is switched off.
    expect(set.rules.map(({ title }) => title)).toContain('R3');
  });

  it('leave out what only a correlation counted that is left out', () => {
    const set = combineRules([part(first, { [id(4)]: { enabled: false, level: null } })]);
    expect(set.rules.map(({ title }) => title)).toEqual(['R1', 'R2']);
    expect(set.correlations).toEqual([]);
  });
});
