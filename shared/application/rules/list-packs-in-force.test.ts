import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeRulePack } from './change-rule-pack.ts';
import { listPacksInForce } from './list-packs-in-force.ts';
import { takeCorePack } from './take-core-pack.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());

it('names the packs that are on, with their age, and nothing of where they come from', async () => {
  await takeCorePack(test.ports);
  const { packs } = await listPacksInForce(test.ports);
  expect(packs.map(({ name }) => name)).toEqual(['core']);
  expect(packs[0]!.loaded).toBeGreaterThan(100);
  expect(Object.keys(packs[0]!).sort()).toEqual([
    'age_days',
    'dated_at',
    'is_stale',
    'licence',
    'loaded',
    'name',
    'version',
  ]);
  await changeRulePack(test.ports, await addAdmin(test.ports), { name: 'core', enabled: false });
  expect(await listPacksInForce(test.ports)).toEqual({ packs: [] });
});
