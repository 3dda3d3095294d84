import { describe, expect, it } from 'vitest';
import { fileAnchors } from './anchor-table.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { screenFor, type Screen } from './screen.ts';

function screenOf(...selections: string[]): Screen | null {
  const text = selections.map((one) => ruleOf(`one: ${one}\ncondition: one`, '{product: linux}')).join('---\n');
  const { rules } = loadRules([{ path: 'test.yml', text }]).rules;
  return screenFor(fileAnchors(rules.map(({ expression }, rule) => [rule, expression])).tables);
}

function rulesOut(screen: Screen | null, text: string): boolean | undefined {
  const bytes = new TextEncoder().encode(`passwd${text}passwd`);
  return screen?.rulesOut({ bytes, start: 6, end: bytes.length - 6 });
}

describe('what rules out records by their bytes', () => {
  it('does where no word of any rule stands', () => {
    const screen = screenOf('{name|endswith: /etc/passwd}', '{cmd: /bin/SH}', '["rm -rf"]');
    expect(rulesOut(screen, 'name="/etc/group" cmd="ls -l" rm')).toBe(true);
    for (const text of ['name=/ETC/PASSWD', 'cmd=-bin-sh', 'x rm -RF y']) expect(rulesOut(screen, text)).toBe(false);
  });

  it('does not where it takes the text to tell', () => {
    expect(rulesOut(screenOf('{name: passwd}'), 'name="ż"')).toBe(false);
  });

  it.each([
    ['a number, which may stand there in hexadecimal', '{uid: 31}'],
    ['a word that stands in many records', '{cmd: ls}'],
    ['what the route tells, which may stand there as a number', '{Type|contains: exec}'],
  ])('is not made for %s', (_, selection) => {
    expect(screenOf('{name: passwd}', selection)).toBeNull();
  });
});
