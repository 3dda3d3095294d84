import { describe, expect, it } from 'vitest';
import { holdsFor, matching, refusal, ruleOf } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';

type Value = Parameters<typeof holdsFor>[1];

/** One item of a detection against the data of a record. */
function item(text: string, data: Value): boolean {
  return holdsFor(`s:\n  ${text}\ncondition: s`, data);
}

function warnings(text: string): readonly string[] {
  const { warnings: given } = loadRules([{ path: 'r.yml', text: ruleOf(`s:\n  ${text}\ncondition: s`) }]);
  return given.map(({ message }) => message);
}

describe('numbers, booleans, null and the empty text (1.3.2)', () => {
  it.each([
    ['Field: 4624', '4624', true],
    ['Field: 4624', 4624, true],
    ['Field: 4624', '04624', false],
    ['Field: 4624', '46240', false],
    ["Field: '4624'", 4624, true],
    ['Field: -5', '-5', true],
    ['Field: 5136', '0x1410', true],
    ['Field: 5136', '0X1410', true],
    ['Field: 5136', '0x1411', false],
    ['Field: 0x1410', '0x1410', true],
    ['Field: 0x1410', '5136', true],
    ["Field: '5136'", '0x1410', false],
    ["Field: '0x1410'", '0x1410', true],
    ["Field: '0x1410'", '5136', false],
    ['Field: 18446744073709551615', '18446744073709551615', true],
    ['Field: 18446744073709551615', '0xffffffffffffffff', true],
    ['Field: 18446744073709551615', '18446744073709551614', false],
    ['Field: 9007199254740993', '9007199254740993', true],
    ['Field: 9007199254740993', '9007199254740992', false],
    ['Field: 1.5', '1.5', true],
    ['Field: 1.5', '1.50', true],
    ['Field: 1.0', '1', true],
    ['Field: 1.0', '1.0', true],
    ['Field: 1.5', 'text', false],
    ['Field: 1.5', '', false],
    ['Field: true', 'true', true],
    ['Field: true', 'TRUE', true],
    ['Field: false', 'False', true],
    ['Field: true', '1', false],
    ['Field: yes', 'yes', true],
    ['Field: yes', 'true', false],
    ['Field: 2023-05-01', '2023-05-01', true],
    ['Field: 2023-05-01', '2023-05-01T00:00:00Z', false],
    ['Field: null', null, true],
    ['Field: null', '', true],
    ['Field: null', '-', false],
    ['Field: null', 'x', false],
    ['Field: ~', '', true],
    ['Field:', '', true],
    ["Field: ''", '', true],
    ["Field: ''", '-', false],
    ["Field: ''", ' ', false],
    ["Field: '*'", 'x', true],
    ["Field: '*'", '', true],
    ['Field: {}', undefined, 'refused'],
    ['Field: {a: b}', undefined, 'refused'],
    ['Field: [[a]]', undefined, 'refused'],
  ] as const)('%s against %j: %s', (text, value, expected) => {
    if (expected === 'refused') expect(refusal(ruleOf(`s:\n  ${text}\ncondition: s`))).not.toBeNull();
    else expect(item(text, { Field: value })).toBe(expected);
  });
});

describe('lists and several values (1.3.3)', () => {
  it.each([
    ['Field: [a, b]', 'b', true],
    ['Field: [a, b]', 'c', false],
    ['Field: [a, 5, true]', '5', true],
    ['Field: [a, null]', undefined, true],
    ['Field: [a, null]', 'a', true],
    ['Field: [a, null]', 'b', false],
    ["Field: [a, '']", '', true],
    ['Field|contains|all: [a, b]', 'xbxax', true],
    ['Field|contains|all: [a, b]', 'xbx', false],
    ['Field|all: [a, b]', 'a', false],
    // A field of several values: any of them, and for each of `all` one of its own.
    ['Field: b', ['a', 'b'], true],
    ['Field: c', ['a', 'b'], false],
    ['Field: 5', ['x', 5], true],
    ['Field: 5', ['x', '0x5'], true],
    ['Field|all: [a, b]', ['b', 'a'], true],
    ['Field|all: [a, b]', ['a', 'c'], false],
    ['Field|contains|all: [one, two]', ['one', 'x two'], true],
    ['Field|neq: a', ['a', 'b'], false],
    ['Field|neq: c', ['a', 'b'], true],
    ["Field: ''", ['a', ''], true],
    ['Field: null', ['a', ''], false],
    ['Field|exists: true', ['a', ''], true],
    ['Field|re: ^b$', ['a', 'b'], true],
    ['Field|cidr: 10.0.0.0/8', ['x', '10.1.1.1'], true],
    ['Field|gt: 3', ['1', '4'], true],
    ['Field|contains: [aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii]', ['x', 'xIIIx'], true],
    ['Field|contains: [aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, iii]', ['x', 'xII'], false],
  ] as const)('%s against %j: %s', (text, value, expected) => {
    const data = value === undefined ? {} : { Field: value as string | readonly string[] };
    expect(item(text, data)).toBe(expected);
  });

  it.each([
    ['', true],
    [null, false],
    ['-', true],
  ])('tells null from the empty text where a rule asks for both: %j', (value, expected) => {
    const rule =
      "s: {Other: x}\nnone: {Field: null}\nempty: {Field: '', Other: y}\ncondition: s and not 1 of none* and not empty";
    expect(holdsFor(rule, value === null ? { Other: 'x' } : { Field: value, Other: 'x' })).toBe(expected);
  });

  it('warns of a null in a list and of all on a single value', () => {
    expect(warnings('Field: [a, null]')).toEqual([expect.stringContaining('null in a list')]);
    expect(warnings('Field|contains|all: a')).toEqual([expect.stringContaining('all on a single value')]);
    expect(warnings('Field|contains|all: [a]')).toEqual([expect.stringContaining('all on a single value')]);
    expect(warnings('Field: a')).toEqual([]);
  });
});

describe('absent fields (1.3.4)', () => {
  it.each([
    ['Field: a', false],
    ["Field: '*'", false],
    ["Field: ''", false],
    ['Field: 0', false],
    ['Field: false', false],
    ["Field|contains: ''", false],
    ['Field|startswith: a', false],
    ['Field|endswith: a', false],
    ['Field|windash|contains: -a', false],
    ['Field|base64offset|contains: ab', false],
    ["Field|re: '.*'", false],
    ['Field|cidr: 0.0.0.0/0', false],
    ['Field|lt: 10', false],
    ['Field|gte: 0', false],
    ['Field|year: 2024', false],
    ['Field|fieldref: Other', false],
    ['Other|fieldref: Field', false],
    ['Field|fieldref: Missing', false],
    ['Field|cased: a', false],
    ['Field|exists: true', false],
    ['Field: null', true],
    ['Field|exists: false', true],
    ['Field|neq: a', true],
    ['Field|contains|neq: a', true],
    ['Field|re|neq: a', true],
    ['Field|neq: null', false],
  ])('%s: %s, and its negation the opposite', (text, expected) => {
    expect(item(text, { Other: 'x' })).toBe(expected);
    expect(holdsFor(`s:\n  ${text}\ncondition: not s`, { Other: 'x' })).toBe(!expected);
  });

  it('a filter whose field the record lacks does not hide it', () => {
    const rule = `s: {Other: x}\nfilter: {Field|startswith: a}\ncondition: s and not filter`;
    expect(holdsFor(rule, { Other: 'x' })).toBe(true);
    expect(holdsFor(rule, { Other: 'x', Field: 'b' })).toBe(true);
    expect(holdsFor(rule, { Other: 'x', Field: 'a' })).toBe(false);
  });
});

describe('keywords (1.3.5)', () => {
  const record = { One: 'first text', Two: 'second', Many: ['third', 'fourth'], Number: 4711, Empty: '' };

  it.each([
    ['s: first', true],
    ['s: FIRST', true],
    ['s: irs', true],
    ['s: nothing', false],
    ['s: [nothing, second]', true],
    ['s: [fourth]', true],
    // A keyword never spans two values, and names are not looked at.
    ['s: textsecond', false],
    ['s: "text*second"', false],
    ['s: "f*t"', true],
    ['s: "f?rst"', true],
    ['s: "first\\\\*"', false],
    ['s: One', false],
    ['s: Application', false],
    // An empty name is one too.
    ["s: {'|all': [first, fourth]}", true],
    ["s: {'|all': [first, fifth]}", false],
    ["s: {'|contains': ond}", true],
    ["s: {'|startswith': sec}", true],
    ["s: {'|startswith': econd}", false],
    ["s: {'|endswith': econd}", true],
    ["s: {'|re': '^sec.nd$'}", true],
    ["s: {'|re': '^ec.nd$'}", false],
    ["s: {'|cased': First}", false],
    ["s: {'|cased': first}", true],
    ["s: {'': second}", true],
    // Maps and keywords in one list are alternatives.
    ['s: [nothing, {Two: second}]', true],
    ['s: [nothing, {Two: other}]', false],
    ['s: [{Two: other}, third]', true],
    ["s: {'|all': [first], Two: second}", true],
    ["s: {'|all': [first], Two: other}", false],
  ])('%s: %s', (text, expected) => {
    expect(holdsFor(`${text}\ncondition: s`, record)).toBe(expected);
  });

  it('are not found in a record without texts, so that their negation holds', () => {
    expect(holdsFor('s: x\ncondition: not s', {})).toBe(true);
    expect(holdsFor('s: x\ncondition: s', {})).toBe(false);
  });

  it('are found in the rendered message', () => {
    const rule = ruleOf('s: [told]\ncondition: s');
    const told = { channel: 'Application', eventId: 1, message: 'We were told so.', data: { A: 'b' } };
    expect(matching(rule, told)).toEqual([true]);
    expect(matching(rule, { ...told, message: 'We were not.' })).toEqual([false]);
  });
});

describe('detections (1.5)', () => {
  it.each([
    // A map is all of its items, also of two on one field.
    ['s: {A: a, B: b}', { A: 'a', B: 'b' }, true],
    ['s: {A: a, B: b}', { A: 'a', B: 'c' }, false],
    ['s: {A|startswith: a, A|endswith: z}', { A: 'a..z' }, true],
    ['s: {A|startswith: a, A|endswith: z}', { A: 'a..y' }, false],
    // A list of maps is any of them.
    ['s: [{A: a}, {B: b}]', { B: 'b' }, true],
    ['s: [{A: a, B: b}, {B: c}]', { A: 'a', B: 'c' }, true],
    ['s: [{A: a, B: b}, {B: c}]', { A: 'a', B: 'd' }, false],
    // Names of fields have no case of their own, unless a record has both.
    ['s: {commandLINE: x}', { CommandLine: 'x' }, true],
    ['s: {name: lower}', { Name: 'upper', name: 'lower' }, true],
    ['s: {NAME: upper}', { Name: 'upper', name: 'lower' }, true],
  ])('%s against %j: %s', (text, data, expected) => {
    expect(holdsFor(`${text}\ncondition: s`, data)).toBe(expected);
  });

  it.each([
    ['s: {}', 'empty map'],
    ['s: []', 'empty list'],
    ['s: {Field: []}', 'empty list'],
    ['s: [{}]', 'empty map'],
    ['s: null', 'cannot be null'],
    ['s: [null]', 'cannot be null'],
    ["s: {'|all': [a, null]}", 'cannot be null'],
    ['s: [[a]]', 'neither text'],
    ['s: {Field: {a: 1}}', 'neither text'],
  ])('refuse %s: %s', (text, reason) => {
    expect(refusal(ruleOf(`${text}\ncondition: s`))?.message).toContain(reason);
  });

  it('are no text and no list', () => {
    const without = 'title: T\nlogsource: {product: windows}\n';
    expect(refusal(`${without}detection: text\n`)?.message).toContain('not a map');
    expect(refusal(`${without}detection: [a]\n`)?.message).toContain('not a map');
    expect(refusal(`${without}detection: {condition: s}\n`)?.message).toContain('no identifier');
  });

  it('are bounded, whatever aliases and lists make of them', () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      at === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x]' : `a${at}: &a${at} {F|contains: *a0}`,
    );
    expect(refusal(ruleOf(`${rows.join('\n')}\ncondition: 1 of a*`))).toBeNull();
    const many = `s: {F: [${Array.from({ length: 200_001 }, () => 'x').join(',')}]}\ncondition: s`;
    expect(refusal(ruleOf(many))?.message).toContain('200000');
  });
});
