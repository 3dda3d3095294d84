import { expect, it } from 'vitest';
import { matching, ruleOf } from '../testing/rule-check.ts';

const cleared = (channel: string): Parameters<typeof matching>[1] => ({
  channel: 'System',
  provider: 'Microsoft-Windows-Eventlog',
  eventId: 104,
  data: { Channel: channel },
});

it('takes data named like what decides the route for what a rule means', () => {
  const rules = [
    ruleOf(
      'selection: {EventID: 104, Channel: Application}\ncondition: selection',
      '{product: windows, service: system}',
    ),
    ruleOf('selection: {EventID: 104, Channel: System}\ncondition: selection', '{product: windows, service: system}'),
    ruleOf('selection: {EventLog: Application}\ncondition: selection', '{product: windows, service: application}'),
  ].join('---\n');
  expect(matching(rules, cleared('Application'))).toEqual([true, false, false]);
  expect(matching(rules, cleared('System'))).toEqual([false, true, false]);
  expect(matching(rules, { channel: 'Application', eventId: 104 })).toEqual([false, false, true]);
});

it('holds the id of the event itself against a rule, not one that the data tells of', () => {
  const unwritten = { channel: 'Security', eventId: 1108, data: { EventID: '4616' } };
  const of = (id: number): string =>
    ruleOf(`selection: {EventID: ${id}}\ncondition: selection`, '{product: windows, service: security}');
  expect(matching([of(4616), of(1108)].join('---\n'), unwritten)).toEqual([false, true]);
});
