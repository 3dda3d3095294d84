import { sql } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { at, jobFixture, outcome } from '../../contract/job-fixture.ts';
import { derived } from '../../testing/fake-derived.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { openTestPorts } from '../../testing/test-ports.ts';
import { makeHeldWords } from '@svc/application/work/make-held-words.ts';
import { packed } from '../packed-json.ts';
import { rowsOf } from '../rows-of.ts';

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

it('makes the words of results that have none, once', async () => {
  const { derivations, results } = test.ports;
  for (const found of [derived(), null]) {
    const [task = 0] = await begin(await running());
    await results.finishTask(task, outcome({ derived: found }), at);
  }
  const words = async () =>
    rowsOf<{ held: string[] | null }>(database.orm, sql`select held from task_results order by id`);
  const before = await words();
  expect(before[0]?.held).toEqual(expect.arrayContaining(['host:ws1', 'user:bob', 'technique:t1059']));
  expect(before[1]?.held).toEqual(expect.arrayContaining(['rule:powershell']));
  expect(await derivations.makeWords(10)).toBe(0);
  await database.orm.execute(sql`update task_results set held = null`);
  expect(await derivations.makeWords(1)).toBe(1);
  expect(await makeHeldWords(test.ports)).toBe(1);
  expect(await words()).toEqual(before);
});

it('makes the words anew of what is derived anew', async () => {
  const { derivations, findings, results } = test.ports;
  const id = await running();
  const [task = 0] = await begin(id);
  await results.finishTask(task, outcome({ derived: derived() }), at);
  const computer = [{ value: 'ws9', count: 1 }];
  const anew = derived({ entities: { ...derived().entities, computer } });
  await derivations.replace(
    { id: task, jobId: id },
    { derived: anew, engine: 'sigma-native', findings: await findings.ofTask(task) },
  );
  const [row] = await rowsOf<{ held: string[] }>(database.orm, sql`select held from task_results`);
  expect(row?.held).toEqual(expect.arrayContaining(['host:ws9', 'rule:powershell', 'technique:t1059.001']));
  expect(row?.held).not.toContain('host:ws1');
});
