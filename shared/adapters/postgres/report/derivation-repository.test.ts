import { sql } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { at, jobFixture, outcome } from '../../contract/job-fixture.ts';
import { derived } from '../../testing/fake-derived.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { openTestPorts } from '../../testing/test-ports.ts';
import { packed } from '../packed-json.ts';

const database = await openTestDatabase();
const test = await openTestPorts({ database });
afterAll(async () => {
  await test.close();
  await database.close();
});

const { running, begin } = jobFixture(async () => {
  await test.reset();
  return test.ports;
});

it.each([
  ['damaged', sql`substring(alerts from 1 for length(alerts) / 2)`],
  ['not packed', sql`'{}'::bytea`],
  ['of another version', sql`decode(${Buffer.from(await packed({ v: 2 })).toString('base64')}, 'base64')`],
])('an index of alerts that is %s counts as missing', async (_, stored) => {
  const id = await running();
  const [task = 0] = await begin(id);
  await test.ports.results.finishTask(task, outcome({ derived: derived() }), at);
  await database.orm.execute(sql`update task_derivations set alerts = ${stored}`);
  expect(await test.ports.derivations.alerts(id)).toBeNull();
});
