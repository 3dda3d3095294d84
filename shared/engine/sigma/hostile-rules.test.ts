import { describe, expect, it } from 'vitest';
import { Matcher } from '../matching/matcher.ts';
import { fakeEvent, type FakeRecord } from '../testing/fake-event.ts';
import { freshTables } from '../testing/read-all.ts';
import { refusal, ruleOf } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';
import { processorTime } from '../testing/processor-time.ts';

/** Far above what any of these takes, far below what a hang does. */
const soon = 4000;

function timed<T>(run: () => T): T {
  const took = processorTime();
  const result = run();
  expect(took()).toBeLessThan(soon);
  return result;
}

/** Whether the matcher finds the rule; the plain evaluator is too plain for these. */
function matches(detectionText: string, data: FakeRecord['data']): boolean {
  const { rules, rejected } = loadRules([{ path: 'x.yml', text: ruleOf(detectionText) }]);
  expect(rejected).toEqual([]);
  const tables = freshTables();
  const matched: number[] = [];
  const event = fakeEvent(tables, { channel: 'Application', ...(data && { data }) });
  new Matcher(rules.rules, tables).match(event, (rule) => matched.push(rule));
  return matched.length === 1;
}

function detection(value: string): string {
  return ruleOf(`s:\n  A|contains: ${value}\ncondition: s`);
}

describe('YAML that is hostile', () => {
  it('refuses aliases that multiply', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]`).slice(1);
    const bomb = `title: x\na0: &a0 [x]\n${levels.join('\n')}\nlogsource: {product: windows}\ndetection:\n  s: *a29\n  condition: s\n`;
    expect(timed(() => refusal(bomb))?.message).toMatch(/value|number|alias/);
    // The count of aliases is small here, and nothing of the detection has any.
    const tags = ruleOf('s: {A: x}\ncondition: s') + `${levels.slice(0, 11).join('\n')}\ntags: *a11\n`;
    expect(timed(() => refusal(`a0: &a0 [x]\n${tags}`))?.message).toMatch(
      /aliases replaced .* more than 200000 values/,
    );
    const flat = `title: x\nlist: &l [${'x, '.repeat(1000)}x]\nlogsource: {product: windows}\ndetection:\n${Array.from(
      { length: 900 },
      (_, i) => `  s${i}: {A: *l}\n`,
    ).join('')}  condition: 1 of s*\n`;
    expect(timed(() => refusal(flat))?.message).toMatch(/more than 200000 values/);
    expect(refusal(`title: x\nl: &l [x]\nm: [${'*l, '.repeat(1001)}x]\n`)?.message).toMatch(/alias/);
  });

  it('refuses an alias to what is around it', () => {
    const yaml = 'title: x\nlogsource: {product: windows}\ndetection:\n  s: &s\n    A:\n      - *s\n  condition: s\n';
    expect(timed(() => refusal(yaml))).not.toBeNull();
  });

  it('refuses nesting without end', () => {
    expect(timed(() => refusal(`a: ${'['.repeat(100_000)}`))?.message).toMatch(/YAML/);
    expect(timed(() => refusal(`${'a:\n '.repeat(10)}${'- '.repeat(100_000)}`))?.message).toMatch(/YAML/);
  });

  it('refuses keys given twice, unknown tags and files too large', () => {
    expect(refusal('title: a\ntitle: b\n')).toEqual({ line: 2, message: expect.stringContaining('duplicated') });
    expect(refusal('title: !!js/function x\n')?.message).toMatch(/tag/);
    expect(refusal(`title: ${'x'.repeat(5_000_000)}`)?.message).toMatch(/larger/);
  });

  it('survives names that objects have already', () => {
    const yaml = ruleOf(
      'constructor: {toString: x, __proto__|contains: y, "valueOf|all": [z]}\ncondition: constructor',
    );
    const { rules, rejected } = loadRules([{ path: 'x.yml', text: yaml }]);
    expect([rules.rules.length, rejected]).toEqual([1, []]);
    const tables = freshTables();
    const event = fakeEvent(tables, { channel: 'Security', provider: 'constructor', eventId: 4688 });
    const matched: number[] = [];
    new Matcher(rules.rules, tables).match(event, (rule) => matched.push(rule));
    expect(matched).toEqual([]);
  });
});

describe('rules that are hostile', () => {
  it('takes giant lists, and refuses larger ones', () => {
    const list = (length: number): string => `[${Array.from({ length }, (_, i) => `value number ${i}`).join(', ')}]`;
    expect(
      timed(() => matches(`s: {A|contains: ${list(20_000)}}\ncondition: s`, { A: 'x value number 19999 x' })),
    ).toBe(true);
    expect(timed(() => refusal(detection(list(200_001))))?.message).toMatch(/more than 200000 values|larger/);
  });

  it('takes ten thousand dashes to vary', () => {
    const dashes = ' -a'.repeat(10_000);
    const event = { A: ' /a'.repeat(9999) + ' \u2014a' };
    expect(timed(() => matches(`s: {A|windash|contains: '${dashes}'}\ncondition: s`, event))).toBe(true);
    expect(refusal(ruleOf(`s: {A|windash|base64: '${dashes}'}\ncondition: s`))?.message).toMatch(/too many dashes/);
  });

  it('takes ten thousand wildcards', () => {
    const stars = 'a*'.repeat(10_000);
    expect(timed(() => matches(`s: {A: '${stars}b'}\ncondition: s`, { A: 'a'.repeat(60_000) }))).toBe(false);
    expect(timed(() => matches(`s: {A: '${'*a?'.repeat(3000)}'}\ncondition: s`, { A: 'ab'.repeat(3000) }))).toBe(true);
  });

  it('takes wildcards over identifiers that would explode', () => {
    const name = 'a'.repeat(1000);
    const pattern = `${'*a'.repeat(200)}*b`;
    const yaml = ruleOf(`${name}: {A: x}\ncondition: 1 of ${pattern}`);
    expect(timed(() => refusal(yaml))?.message).toMatch(/matches no identifier/);
  });

  it('refuses choices and conditions without end', () => {
    const names = Array.from({ length: 40 }, (_, i) => `s${i}: {A: ${i}}`).join('\n');
    expect(timed(() => refusal(ruleOf(`${names}\ncondition: 20 of s*`)))?.message).toMatch(/too many ways/);
    const nested = `${'('.repeat(100_000)}s${')'.repeat(100_000)}`;
    expect(timed(() => refusal(ruleOf(`s: {A: x}\ncondition: ${nested}`)))?.message).toMatch(/nested deeper/);
    expect(timed(() => refusal(ruleOf(`s: {A: x}\ncondition: ${'not '.repeat(100_000)}s`)))?.message).toMatch(/nested/);
    expect(timed(() => refusal(ruleOf(`s: {A: x}\ncondition: ${'s or '.repeat(100_000)}s`)))).toBeNull();
  });

  it('refuses placeholders that multiply', () => {
    const placeholders = new Map([['a', Array.from({ length: 100 }, (_, i) => String(i))]]);
    const yaml = (value: string): string => ruleOf(`s: {A|expand: ${value}}\ncondition: s`);
    expect(timed(() => refusal(yaml("'%a%%a%%a%'"), { placeholders }))?.message).toMatch(/more than 10000/);
    const many = `[${Array.from({ length: 30 }, (_, i) => `'${i}%a%%a%'`).join(', ')}]`;
    expect(timed(() => refusal(yaml(many), { placeholders }))?.message).toMatch(/more than 200000 values/);
  });

  it('refuses regular expressions that explode, each with its reason', () => {
    const yaml = (pattern: string): string => ruleOf(`s: {A|re: '${pattern}'}\ncondition: s`);
    expect(refusal(yaml('((a{100}){100}){100}'))?.message).toMatch(/repeat count/);
    expect(refusal(yaml('(a++)+'))?.message).toMatch(/possessive/);
    const { rules } = loadRules([{ path: 'x.yml', text: yaml('(?=(a|aa)*c)a') }]);
    const tables = freshTables();
    const event = fakeEvent(tables, { channel: 'Application', data: { A: `x${'a'.repeat(60_000)}b` } });
    timed(() => new Matcher(rules.rules, tables).match(event, () => {}));
    expect(tables.values.undecided).toBe(1);
  });

  it('shortens what it quotes', () => {
    const message = refusal(ruleOf(`s: {A: x}\ncondition: ${'x'.repeat(100_000)}`))?.message ?? '';
    expect(message.length).toBeLessThan(600);
  });

  it('warns of one document only so often', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `s${i}: {A: ${i}}`).join('\n');
    const { warnings } = timed(() => loadRules([{ path: 'x.yml', text: ruleOf(`${names}\ncondition: s0`) }]));
    expect(warnings).toHaveLength(20);
  });
});
