import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { operations } from '@svc/contracts';
import { type Actor, ownPackName } from '@svc/domain';
import { unpackRules } from '@svc/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { checkRulePacks } from './check-rule-packs.ts';
import { deleteRule } from './delete-rule.ts';
import { getRule } from './get-rule.ts';
import { overrideRule } from './override-rule.ts';
import { rulesForTask } from './rules-for-task.ts';
import { saveRule } from './save-rule.ts';

let test: TestPorts;
let ports: Ports;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  admin = await addAdmin(ports);
});
afterAll(() => test.close());

const rule = (title: string, more = ''): string => `title: ${title}
date: 2019-01-01
logsource: {product: windows, category: process_creation}
detection: {s: {Image|endswith: '\\whoami.exe'}, condition: s}
${more}`;
const save = (source: string, id?: string) => saveRule(ports, admin, { source, rule_id: id });
const every = { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] };

async function titles(): Promise<string[]> {
  const ready = await rulesForTask(ports, { packs: [ownPackName], filters: every });
  return unpackRules(await ready.load())
    .rules.map(({ title }) => title)
    .sort();
}

it('writes rules into a pack of their own, each time a version of it, as the contract says', async () => {
  const first = await save(rule('First'));
  expect(operations.saveRule.output.parse(first)).toEqual(first);
  const today = new Date().toISOString().slice(0, 10);
  // Rules that somebody has just looked after are of today, however old the idea.
  expect(first.pack).toMatchObject({
    name: 'custom',
    in_force: { loaded: 1, dated_at: today, source: 'written here' },
  });
  await save(rule('Second'));
  expect(await titles()).toEqual(['First', 'Second']);
  expect(await ports.rulePacks.versions(ownPackName)).toHaveLength(2);
  const shown = await getRule(ports, admin, { name: ownPackName, rule_id: first.rule_id });
  expect(shown.source).toBe(rule('First').trim().replace('First', `First\nid: ${first.rule_id}`));
});

it('replaces a rule; a job that has begun keeps the one it had, and what was decided stays', async () => {
  const { rule_id: id } = await save(rule('Before'));
  await overrideRule(ports, admin, { name: ownPackName, rule_id: id, enabled: true, level: 'critical' });
  const running = await rulesForTask(ports, { packs: null, filters: every });
  const next = await save(rule('After', `id: ${id}\n`), id);
  expect(next.rule_id).toBe(id);
  expect(await titles()).toEqual(['After']);
  expect(unpackRules(await running.load()).rules.map(({ title }) => title)).toEqual(['Before']);
  expect(await getRule(ports, admin, { name: ownPackName, rule_id: id })).toMatchObject({ level_override: 'critical' });
});

it('removes a rule, and the pack with the last one', async () => {
  const [first, second] = [await save(rule('First')), await save(rule('Second'))];
  await deleteRule(ports, admin, { rule_id: first.rule_id });
  expect(await titles()).toEqual(['Second']);
  await expect(deleteRule(ports, admin, { rule_id: first.rule_id })).rejects.toMatchObject({ code: 'not_found' });
  await deleteRule(ports, admin, { rule_id: second.rule_id });
  expect(await ports.rulePacks.list()).toEqual([]);
  await expect(deleteRule(ports, admin, { rule_id: second.rule_id })).rejects.toMatchObject({ code: 'not_found' });
});

it.each([
  ['what does not compile', rule('Bad').replace('endswith', 'nonsense'), /Line 5: .*nonsense/],
  ['no YAML', 'title: [', /Line 1: Not readable/],
  ['no rule', '# nothing', /no rule/],
  ['what is made to take time', `${rule('Deep')}x: ${'['.repeat(5000)}`, /Line \d+: .*nesting/i],
])('refuses %s, and leaves the rules as they were', async (_, source, why) => {
  await save(rule('Good'));
  await expect(save(source)).rejects.toMatchObject({ code: 'pack_refused', message: expect.stringMatching(why) });
  expect(await titles()).toEqual(['Good']);
});

describe('while somebody else saves a rule', () => {
  /** The ports, in which another rule is saved after the rules were read. */
  const slow = (): Ports => ({
    ...ports,
    ruleCompiler: overriding(ports.ruleCompiler, {
      revise: async (...asked: Parameters<Ports['ruleCompiler']['revise']>) => {
        const revised = await ports.ruleCompiler.revise(...asked);
        await save(rule('Meanwhile'));
        return revised;
      },
    }),
  });

  it('nobody writes over it', async () => {
    await save(rule('First'));
    const late = saveRule(slow(), admin, { source: rule('Late'), rule_id: undefined });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(await titles()).toEqual(['First', 'Meanwhile']);
  });

  it('nobody removes it with what was the last rule', async () => {
    const { rule_id: id } = await save(rule('First'));
    await expect(deleteRule(slow(), admin, { rule_id: id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await titles()).toEqual(['First', 'Meanwhile']);
  });
});

it('never calls rules of one’s own stale', async () => {
  await save(rule('First'));
  test.advance(400 * 86_400);
  expect(await checkRulePacks(ports)).toMatchObject([{ level: 'PASS', name: 'Rule pack custom' }]);
  await ports.rulePacks.change(ownPackName, { enabled: false });
  expect(await checkRulePacks(ports)).toMatchObject([{ level: 'FAIL', fix: expect.anything() }, { level: 'INFO' }]);
});
