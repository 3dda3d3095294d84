import { describe, expect, it } from 'vitest';
import { holdsFor, refusal, ruleOf } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';

const names = ['sel_a', 'sel_b', 'sel_c', 'other', '_hidden'];
const identifiers = names.map((name) => `${name}: {${name}: yes}`).join('\n');

/** Whether a condition holds where just these identifiers do. */
function holds(condition: string, ...true_: string[]): boolean {
  return holdsFor(`${identifiers}\ncondition: ${condition}`, Object.fromEntries(true_.map((name) => [name, 'yes'])));
}

describe('conditions (1.5)', () => {
  it.each([
    ['other', ['other'], true],
    ['other', ['sel_a'], false],
    ['not other', [], true],
    ['not other', ['other'], false],
    ['not not other', ['other'], true],
    ['sel_a and sel_b', ['sel_a', 'sel_b'], true],
    ['sel_a and sel_b', ['sel_a'], false],
    ['sel_a or sel_b', ['sel_b'], true],
    ['sel_a or sel_b', [], false],
    // or is looser than and, and than not.
    ['sel_a or sel_b and sel_c', ['sel_a'], true],
    ['sel_a or sel_b and sel_c', ['sel_b'], false],
    ['sel_a and sel_b or sel_c', ['sel_c'], true],
    ['(sel_a or sel_b) and sel_c', ['sel_a'], false],
    ['(sel_a or sel_b) and sel_c', ['sel_a', 'sel_c'], true],
    ['not sel_a and sel_b', ['sel_b'], true],
    ['not sel_a and sel_b', ['sel_a', 'sel_b'], false],
    ['not (sel_a and sel_b)', ['sel_a'], true],
    ['not sel_a or sel_b', ['sel_a', 'sel_b'], true],
    ['((((other))))', ['other'], true],
    // Keywords have no case, identifiers do.
    ['sel_a AND NOT sel_b', ['sel_a'], true],
    ['sel_a Or sel_b', ['sel_b'], true],
    ['1 OF sel_*', ['sel_c'], true],
    ['ALL of Them', ['sel_a', 'sel_b', 'sel_c', 'other'], true],
    // Quantifiers
    ['1 of sel_*', ['sel_b'], true],
    ['1 of sel_*', ['other'], false],
    ['any of sel_*', ['sel_b'], true],
    ['all of sel_*', ['sel_a', 'sel_b', 'sel_c'], true],
    ['all of sel_*', ['sel_a', 'sel_b'], false],
    ['2 of sel_*', ['sel_a', 'sel_c'], true],
    ['2 of sel_*', ['sel_a'], false],
    ['2 of sel_*', ['sel_a', 'sel_b', 'sel_c'], true],
    ['3 of sel_*', ['sel_a', 'sel_b', 'sel_c'], true],
    ['3 of sel_*', ['sel_a', 'sel_b', 'other'], false],
    ['3 of them', ['sel_a', 'sel_b', 'other'], true],
    ['not 1 of sel_*', [], true],
    ['not 1 of sel_*', ['sel_a'], false],
    ['not all of sel_*', ['sel_a'], true],
    ['other and not 1 of sel_*', ['other'], true],
    ['other and not 1 of sel_*', ['other', 'sel_a'], false],
    ['not 1 of sel_* and other', ['other'], true],
    ['1 of sel_a', ['sel_a'], true],
    ['1 of *_b', ['sel_b'], true],
    ['1 of *_b', ['sel_a'], false],
    ['1 of s*_a', ['sel_a'], true],
    ['1 of *', ['other'], true],
    ['(1 of sel_*)', ['sel_a'], true],
    // What begins with an underscore is only meant by what does so itself.
    ['1 of them', ['_hidden'], false],
    ['all of them', ['sel_a', 'sel_b', 'sel_c', 'other'], true],
    ['1 of *hidden', ['sel_a'], 'refused'],
    ['1 of *', ['_hidden'], false],
    ['1 of _*', ['_hidden'], true],
    ['_hidden', ['_hidden'], true],
  ] as const)('%s where %j: %s', (condition, true_, expected) => {
    if (expected === 'refused') expect(refusal(ruleOf(`${identifiers}\ncondition: ${condition}`))).not.toBeNull();
    else expect(holds(condition, ...true_)).toBe(expected);
  });

  it('takes names that only look like keywords', () => {
    const odd = ['all', 'any', '1', 'them', 'x-1', 'Sel'];
    const named = odd.map((name) => `'${name}': {F: '${name}'}`).join('\n');
    for (const name of odd) {
      expect(holdsFor(`${named}\ncondition: '${name}'`, { F: name })).toBe(true);
      expect(holdsFor(`${named}\ncondition: '${name}'`, { F: 'none' })).toBe(false);
    }
    expect(holdsFor(`Sel: {F: a}\nsel: {F: b}\ncondition: sel`, { F: 'a' })).toBe(false);
  });

  it('takes a list of conditions as alternatives', () => {
    const either = `${identifiers}\ncondition: [sel_a and sel_b, other]`;
    expect(holdsFor(either, { other: 'yes' })).toBe(true);
    expect(holdsFor(either, { sel_a: 'yes', sel_b: 'yes' })).toBe(true);
    expect(holdsFor(either, { sel_a: 'yes' })).toBe(false);
  });

  it('takes conditions over several lines', () => {
    expect(holdsFor(`${identifiers}\ncondition: >\n  sel_a and\n  not\tother`, { sel_a: 'yes' })).toBe(true);
  });

  it('counts over many identifiers, and refuses what has too many choices', () => {
    const many = Array.from({ length: 12 }, (_, at) => `s${at}: {F${at}: x}`).join('\n');
    const data = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`F${11 - at}`, 'x']));
    for (const wanted of [2, 3, 4, 8, 9, 11, 12]) {
      expect(holdsFor(`${many}\ncondition: ${wanted} of s*`, data(wanted))).toBe(true);
      expect(holdsFor(`${many}\ncondition: ${wanted} of s*`, data(wanted - 1))).toBe(false);
      expect(holdsFor(`${many}\ncondition: not ${wanted} of s*`, data(wanted - 1))).toBe(true);
    }
    const more = Array.from({ length: 40 }, (_, at) => `s${at}: {F${at}: x}`).join('\n');
    expect(refusal(ruleOf(`${more}\ncondition: 20 of s*`))?.message).toContain('too many ways to choose 20 of 40');
  });

  it.each([
    ['', 'empty'],
    ['sel', 'names “sel”'],
    ['sel_a and missing', 'names “missing”'],
    ['1 of missing*', 'matches no identifier'],
    ['all of missing', 'matches no identifier'],
    ['0 of sel_*', 'asks for 0'],
    ['4 of sel_*', 'which are 3'],
    ['sel_*', 'without a quantifier'],
    ['(sel_a', 'not closed'],
    ['sel_a)', 'too many'],
    ['()', 'where an identifier is expected'],
    ['sel_a sel_b', 'where and, or or its end'],
    ['sel_a and', 'ends where'],
    ['and sel_a', 'where an identifier is expected'],
    ['sel_a and or sel_b', 'where an identifier is expected'],
    ['not', 'ends where'],
    ['1 of', 'nothing after'],
    ['1 of (sel_a)', 'nothing after'],
    ['of sel_*', 'where an identifier is expected'],
    ['sel_a | count() > 5', 'pipe aggregation'],
    ['sel_a & sel_b', 'unexpected “&”'],
    ['sel_a, sel_b', 'unexpected “,”'],
    ['sel_a == 1', 'unexpected “=”'],
    [`${'('.repeat(100)}sel_a${')'.repeat(100)}`, 'nested deeper'],
    [`${'not '.repeat(1001)}sel_a`, 'nested deeper'],
  ])('refuses “%s”: %s', (condition, reason) => {
    const refused = refusal(ruleOf(`${identifiers}\ncondition: '${condition}'`));
    expect(refused?.message).toContain(reason);
    expect(refused?.line).toBe(4 + names.length);
  });

  it.each([
    ['condition: {a: b}', 'no condition'],
    ['condition: null', 'no condition'],
    ['condition: 5', 'no condition'],
    ['condition: []', 'empty'],
    ['condition: [other, null]', 'no condition'],
    ['x: {a: b}', 'no condition'],
  ])('refuses %s: %s', (line, reason) => {
    expect(refusal(ruleOf(`${identifiers}\n${line}`))?.message).toContain(reason);
  });

  it('warns of identifiers that no condition uses', () => {
    const { warnings } = loadRules([{ path: 'r.yml', text: ruleOf('used: {A: a}\nunused: {B: b}\ncondition: used') }]);
    expect(warnings).toEqual([{ path: 'r.yml', line: 5, message: expect.stringContaining('“unused”') as string }]);
  });
});
