import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drainHappenings } from '../happenings/drain-happenings.ts';

let test: TestPorts;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  await test.reset();
  admin = await addAdmin(test.ports);
  const { clock, shipped, shippedRules } = test.ports;
  await shippedRules.seed(await shipped.alertRules(), clock.now());
}, 60_000);
afterAll(() => test.close());

it.each([
  ['was read whole and holds nothing', { findings: [], events: 12 }, ['clean']],
  ['was cut short', { findings: [], events: 12, warnings: ['Chunk 3 is damaged'] }, []],
  ['holds no event', { findings: [], events: 0 }, []],
  ['holds something', { findings: [finding()] }, ['needs_triage']],
])('gives a job whose log %s the right tags', async (_log, over, tags) => {
  const { ports } = test;
  test.engine.behave = async () => output(over);
  const job = await analyzeLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
  await drainHappenings(ports);
  const view = await ports.jobViews.get(admin, job);
  expect(view?.tags.map(({ name }) => name)).toEqual(tags);
});
