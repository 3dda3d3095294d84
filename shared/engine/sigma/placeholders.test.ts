import { describe, expect, it } from 'vitest';
import { holdsFor, refusal, ruleOf } from '../testing/rule-check.ts';

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

  it('without values refuse the rule and name what it lacks', () => {
    const rule = ruleOf("s:\n  Field|expand:\n    - '%Servers%'\n    - '%Jump% and %Other%'\ncondition: s");
    expect(refusal(rule, { placeholders })).toEqual({
      line: 7,
      message: expect.stringContaining('%Jump%, %Other%') as string,
    });
    expect(refusal(rule)?.message).toContain('%Servers%');
  });

  it('stand for so many values at most', () => {
    const many = new Map([['many', Array.from({ length: 101 }, (_, at) => `v${at}`)]]);
    const rule = (value: string): string => ruleOf(`s: {Field|expand: '${value}'}\ncondition: s`);
    expect(refusal(rule('%many%'), { placeholders: many })).toBeNull();
    expect(refusal(rule('%many%%many%'), { placeholders: many })?.message).toContain('10000');
  });
});
