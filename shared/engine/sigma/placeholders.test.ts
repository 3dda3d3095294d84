import { describe, expect, it } from 'vitest';
import { holdsFor, refusal, ruleOf } from '../testing/rule-check.ts';
import { loadRules } from './load-rules.ts';
import { readPlaceholders } from './placeholders.ts';

const placeholders = new Map([
  ['administrators', ['adm*', 'root']],
  ['servers', ['srv01', 'srv02']],
  ['tools', ['-enc', '/x']],
  ['none', []],
]);

function item(text: string, value: string): boolean {
  return holdsFor(`s:\n  ${text}\ncondition: s`, { Field: value }, { placeholders });
}

describe('placeholders (1.8)', () => {
  it.each([
    ["Field|expand: '%Administrators%'", 'ADMIN', true],
    ["Field|expand: '%administrators%'", 'root', true],
    ["Field|expand: '%Administrators%'", 'user', false],
    ["Field|expand: '%Administrators%'", '%Administrators%', false],
    ["Field|expand: 'CORP\\%Administrators%'", 'corp%Administrators%', true],
    ["Field|expand: 'CORP\\\\%Administrators%'", 'corp\\root', true],
    ["Field|expand: '%Servers%-%Administrators%'", 'srv02-adm7', true],
    ["Field|expand: '%Servers%-%Administrators%'", 'srv03-adm7', false],
    ["Field|contains|expand: '%Servers%'", 'at srv01.example', true],
    ["Field|expand|contains: '%Servers%'", 'at srv01.example', true],
    ["Field|endswith|expand: '\\\\%Servers%'", 'x\\srv01', true],
    ["Field|contains|all|expand: ['%Servers%', '%Administrators%']", 'root at srv02', true],
    ["Field|contains|all|expand: ['%Servers%', '%Administrators%']", 'srv01 srv02', false],
    ["Field|expand|windash|contains: '%Tools%'", 'p /enc', true],
    ["Field|expand|base64: '%Servers%'", Buffer.from('srv02').toString('base64'), true],
    ["Field|expand: '100\\%'", '100%', true],
    ["Field|expand: '%not a name%'", '%not a name%', true],
    ["Field|expand: '%%'", '%%', true],
    ["Field|expand: 'plain'", 'plain', true],
    ["Field|expand: ['plain', '%Servers%']", 'srv01', true],
    ["Field|expand: '%none%'", '', false],
    // Without expand a percent sign is text.
    ["Field: '%Administrators%'", '%Administrators%', true],
    ["Field: '%Administrators%'", 'root', false],
    ["Field|contains: '%TEMP%'", 'echo %temp%', true],
  ])('%s against %j: %s', (text, value, expected) => {
    expect(item(text, value)).toBe(expected);
  });

  it('without values refuse the rule and name all that it lacks, wherever it stands', () => {
    const several = ruleOf(
      "s:\n  A|expand: '%Jump%'\n  B|contains|expand: ['%Servers%', '%Other%', '%Jump%']\ncondition: s",
    );
    expect(refusal(several, { placeholders })).toEqual({
      line: 5,
      message: 'no values are configured for the placeholder %Jump%, %Other%',
    });
    const encoded = ruleOf("s: {A|expand|base64: '%Jump%'}\ncondition: s");
    expect(refusal(encoded, { placeholders })?.message).toContain('%Jump%');
    const filter =
      "title: F\nlogsource: {product: windows}\nfilter:\n  rules: any\n  s: {A|expand: '%Jump%'}\n  condition: not s\n";
    expect(refusal(filter, { placeholders })).toEqual({
      line: 5,
      message: expect.stringContaining('%Jump%') as string,
    });
  });

  it('without values are any text where that is asked for, with a warning', () => {
    const rule = ruleOf("s: {Field|contains|expand: 'x%Jump%y'}\ncondition: s");
    const { rules, rejected, warnings } = loadRules([{ path: 'r.yml', text: rule }], { unknownPlaceholders: 'any' });
    expect([rules.rules.length, rejected]).toEqual([1, []]);
    expect(warnings).toEqual([{ path: 'r.yml', line: 4, message: expect.stringContaining('%Jump%') as string }]);
    const options = { unknownPlaceholders: 'any' } as const;
    expect(holdsFor("s: {Field|contains|expand: 'x%Jump%y'}\ncondition: s", { Field: '-x12y-' }, options)).toBe(true);
    expect(holdsFor("s: {Field|contains|expand: 'x%Jump%y'}\ncondition: s", { Field: '-y12x-' }, options)).toBe(false);
    expect(holdsFor("s: {Field|expand: '%Jump%'}\ncondition: s", { Field: 'z' }, options)).toBe(true);
    expect(holdsFor("s: {Field|expand: '%Jump%'}\ncondition: s", { Other: 'z' }, options)).toBe(false);
  });

  it('without values refuse the rule at its line', () => {
    const rule = ruleOf("s:\n  Field|expand:\n    - '%Servers%'\n    - '%Jump% and %Other%'\ncondition: s");
    expect(refusal(rule, { placeholders })).toEqual({
      line: 7,
      message: expect.stringContaining('%Jump%, %Other%') as string,
    });
    expect(refusal(rule)?.message).toContain('%Servers%');
  });

  it('are read from YAML', () => {
    const text = '# ours\nAdministrators: [adm*, root]\n"%Servers%":\n  - srv01\n  - 7\njump: one\n';
    expect(readPlaceholders(text)).toEqual(
      new Map([
        ['administrators', ['adm*', 'root']],
        ['servers', ['srv01', '7']],
        ['jump', ['one']],
      ]),
    );
    expect(readPlaceholders('')).toEqual(new Map());
    expect(readPlaceholders('# nothing\n')).toEqual(new Map());
  });

  it.each([
    ['- a\n- b\n', 'line 1: The placeholders are not a map'],
    ['a: [x, {b: c}]\n', 'line 1: A value of the placeholder a'],
    ['a: x\nb: null\n', 'line 2: A value of the placeholder b'],
    ['a: x\nA: y\n', 'line 2: The placeholder A is given twice'],
    ['a: [\n', 'line 2: Not readable as YAML'],
    ['a: x\n---\nb: y\n', 'line 3: There is more than one document'],
  ])('are refused in %j: %s', (text, reason) => {
    expect(() => readPlaceholders(text)).toThrow(reason);
  });

  it('stand for so many values at most', () => {
    const many = new Map([['many', Array.from({ length: 101 }, (_, at) => `v${at}`)]]);
    const rule = (value: string): string => ruleOf(`s: {Field|expand: '${value}'}\ncondition: s`);
    expect(refusal(rule('%many%'), { placeholders: many })).toBeNull();
    expect(refusal(rule('%many%%many%'), { placeholders: many })?.message).toContain('10000');
  });
});
