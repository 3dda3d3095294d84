import { describe, expect, it } from 'vitest';
import type { EventTexts } from '../events/log-event.ts';
import { ValueTable } from '../events/value-table.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { ruleOf } from '../testing/rule-check.ts';
import { fileAnchors } from './anchor-table.ts';
import { screenFor, type Screen } from './screen.ts';

const values = new ValueTable();
let turn = 0;

function screenOf(...selections: string[]): Screen | null {
  const text = selections.map((one) => ruleOf(`one: ${one}\ncondition: one`, '{product: linux}')).join('---\n');
  const { rules } = loadRules([{ path: 'test.yml', text }]).rules;
  return screenFor(fileAnchors(rules.map(({ expression }, rule) => [rule, expression])).tables, values);
}

function textsOf(...all: string[]): EventTexts {
  return { turn: turn++, some: (visit) => all.some((text) => visit(values.intern(text))) };
}

describe('what rules out events by their texts', () => {
  it('does where no word of any rule stands', () => {
    const screen = screenOf('{name|endswith: /etc/passwd}', '{cmd: /bin/SH}', '["rm -rf"]')!;
    expect(screen.rulesOut(textsOf('name="/etc/group"', 'cmd="ls -l" rm'))).toBe(true);
    for (const text of ['name=/ETC/PASSWD', 'cmd=-bin-sh', 'x rm -RF y', 'ż /bin/sh']) {
      expect(screen.rulesOut(textsOf('name', text))).toBe(false);
    }
  });

  it.each([
    ['a number, which may stand there in hexadecimal', '{uid: 31}'],
    ['a word that stands in many events', '{cmd: ls}'],
    ['what the route tells, which may stand there as a number', '{Type|contains: exec}'],
  ])('is not made for %s', (_, selection) => {
    expect(screenOf('{name: passwd}', selection)).toBeNull();
  });

  it('looks at texts that events share once', () => {
    const screen = screenOf('{name: passwd}')!;
    let asked = 0;
    const texts = { turn: 1, some: () => asked++ < 0 };
    expect([screen.rulesOut(texts), screen.rulesOut(texts)]).toEqual([true, true]);
    expect(asked).toBe(1);
    texts.turn++;
    screen.rulesOut(texts);
    expect(asked).toBe(2);
  });

  it('is spent where it lets most events through, not where one in a hundred', () => {
    const screen = screenOf('{name: passwd}')!;
    for (let event = 0; event < 10_000; event++) screen.rulesOut(textsOf(event % 100 === 0 ? 'passwd' : 'group'));
    expect(screen.isSpent).toBe(false);
    for (let event = 0; event < 100; event++) screen.rulesOut(textsOf('passwd'));
    expect(screen.isSpent).toBe(true);
  });
});
