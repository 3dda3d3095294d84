import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import type { TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { BackfillKind } from '@svc/contracts/tasks.ts';
import type { Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cancelBackgroundTask, requesting } from '../admin/tasks/change-background-task.ts';
import { listTasks } from '../admin/tasks/list-tasks.ts';
import type { Ports } from '../ports/ports.ts';
import { getWhatHappened } from '../report/get-what-happened.ts';
import { handleTask } from './handle-task.ts';

const admin: Actor = { kind: 'account', userId: '', email: 'admin@example.org', role: 'admin', ip: '' };
const intel = {
  entities: [
    { type: 'user' as const, value: 'mallory', count: 2 },
    { type: 'executable' as const, value: 'evil.exe', count: 1 },
  ],
  findings: [{ rule: 0, entities: [1] }],
  relationships: [
    {
      type: 'runs_as' as const,
      source: 1,
      target: 0,
      count: 1,
      failed: 0,
      observedFrom: null,
      observedTo: null,
      samples: [],
    },
  ],
  isTruncated: false,
};
const names = { frequent: [{ value: 'ws1', count: 3 }], total: 1, isPart: false };
const census = {
  records: 3,
  kinds: [{ source: 'windows', channel: 'Security', provider: null, event: '4624', count: 3 }],
  kindsTotal: 1,
  hosts: names,
  accounts: names,
  undated: 3,
  first: null,
  last: null,
  gaps: null,
  rules: { total: 9, reading: 1 },
};
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  test.engine.behave = async () => output({ findings: [finding()], derived: derived({ intel, census }) });
});
afterAll(() => test.close());

const execute = (statement: string): Promise<unknown> =>
  (ports.database as TestDatabase).orm.execute(sql.raw(statement));
let logs = 0;
/** A job on a file of its own. */
const analyzed = (): Promise<number> =>
  analyzeLog(ports, { kind: 'anonymous', ip: '192.0.2.1' }, { content: `ElfFile\0${(logs += 1)}` });
const ask = async (kind: BackfillKind): Promise<number> => (await requesting(kind)(ports, admin)).task_id;
const idOf = (type: 'user' | 'executable', value: string) => ports.entities.find({ type, value });
const last = async () => {
  const { active_tasks: active, recent_tasks: ended } = await listTasks(ports, admin);
  return [...active, ...ended].sort((a, b) => b.id - a.id)[0];
};

/** Takes one task out of the lane of sweeps and does it; false when there is none. */
async function turn(over: Partial<Ports> = {}): Promise<boolean> {
  const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['sweep'] });
  if (lease) await handleTask({ ...ports, ...over }, lease, { leave: new AbortController().signal });
  return lease !== null;
}

it('goes on where it was, in turn with others, and says how far it is', async () => {
  const jobs = [await analyzed(), await analyzed(), await analyzed()];
  const wanted = (await idOf('user', 'mallory'))!;
  await execute('delete from entities');
  await ask('backfill_entities');
  expect(await requesting('backfill_entities')(ports, admin)).toMatchObject({ already: true });
  const slow = overriding(ports.intel, {
    jobsAfter: async (id) => {
      test.advance(90);
      return ports.intel.jobsAfter(id, 1);
    },
  });
  expect(await turn({ intel: slow })).toBe(true);
  expect(await last()).toMatchObject({ status: 'running', detail: `done up to job ${jobs[1]}`, target_id: null });
  // The process that took it next ended before it had done anything.
  await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['sweep'] });
  await ports.ledger.dropLeases();
  expect(await turn({ intel: slow })).toBe(true);
  expect(await last()).toMatchObject({ status: 'completed', detail: `done to the last, job ${jobs[2]}` });
  expect(await turn()).toBe(false);
  const id = (await idOf('user', 'mallory'))!;
  expect(id).not.toBe(wanted);
  expect(await ports.entities.get(id)).toMatchObject({ jobCount: 3 });
});

it('ends at the next batch when it is cancelled', async () => {
  const [first] = [await analyzed(), await analyzed()];
  const task = await ask('backfill_finding_entity_links');
  const cancelling = overriding(ports.intel, {
    jobsAfter: async (id) => {
      await cancelBackgroundTask(ports, admin, { id: task });
      return ports.intel.jobsAfter(id, 1);
    },
  });
  await turn({ intel: cancelling });
  expect(await last()).toMatchObject({ id: task, status: 'cancelled', detail: null });
  expect(await ports.backgroundTasks.inFlight()).toEqual([]);
  await expect(cancelBackgroundTask(ports, admin, { id: task })).rejects.toMatchObject({ code: 'conflict' });
  await expect(cancelBackgroundTask(ports, admin, { id: task + 9 })).rejects.toMatchObject({ code: 'not_found' });
  // One that nobody has begun is not begun.
  const next = await ask('backfill_finding_entity_links');
  await cancelBackgroundTask(ports, admin, { id: next });
  expect(await turn()).toBe(false);
  expect(await last()).toMatchObject({ id: next, status: 'cancelled', started_at: null });
  expect(first).toBeGreaterThan(0);
});

it('leaves out a job that cannot be done', async () => {
  const [bad, good] = [await analyzed(), await analyzed()];
  await execute('delete from entities');
  await execute(`update task_derivations set intel = 'no gzip' where job_id = ${bad}`);
  await ask('backfill_entities');
  await turn();
  expect(await last()).toMatchObject({ status: 'completed', detail: `done to the last, job ${good}` });
  expect(await ports.entities.get((await idOf('user', 'mallory'))!)).toMatchObject({ jobCount: 1 });
});

it('reads logs of earlier versions again for relationships, and takes what there is where they are gone', async () => {
  const [gone, there] = [await analyzed(), await analyzed()];
  await execute('delete from entities');
  await execute('update task_derivations set intel = null, intel_version = 0');
  const { file } = (await ports.jobs.get(gone))!;
  await ports.objects.delete(file.storageKey);
  await ask('backfill_relationships');
  await turn();
  expect(await last()).toMatchObject({ status: 'completed' });
  expect(await ports.entities.get((await idOf('executable', 'evil.exe'))!)).toMatchObject({ jobCount: 1 });
  // Of the analytics alone.
  expect(await ports.entities.get((await idOf('user', 'bob'))!)).toMatchObject({ jobCount: 1 });
  expect((await ports.intel.derivedOf([there])).get(there)).toMatchObject([{ relationships: [{ type: 'runs_as' }] }]);
  expect(await ports.intel.waiting({ under: null, limit: 9 })).toEqual([]);
});

it('reads logs again for what is in them where only that is missing, once, and says nothing of rules of today', async () => {
  const [gone, there, whole] = [await analyzed(), await analyzed(), await analyzed()];
  await execute(`update task_derivations set census = null where job_id <> ${whole}`);
  const { file } = (await ports.jobs.get(gone))!;
  await ports.objects.delete(file.storageKey);
  const behave = test.engine.behave;
  let readings = 0;
  test.engine.behave = (...input) => {
    readings += 1;
    return behave(...input);
  };
  for (const expected of [1, 1]) {
    await ask('backfill_relationships');
    await turn();
    expect(await last()).toMatchObject({ status: 'completed' });
    expect(readings).toBe(expected);
  }
  expect(await ports.derivations.census(there)).toEqual({ ...census, rules: null });
  expect(await ports.derivations.census(whole)).toEqual(census);
  expect(await ports.derivations.census(gone)).toBeNull();
  const contents = async (id: number) =>
    (await getWhatHappened(ports, admin, { id })).contents?.map((one) => one.about);
  expect(await contents(there)).toEqual(['records', 'time', 'hosts', 'accounts']);
  expect(await contents(whole)).toEqual(['records', 'time', 'hosts', 'accounts', 'rules_for']);
  expect(await ports.findings.page(there, { severity: null, page: 1, per: 9 })).toMatchObject({ total: 1 });
});

it('works attributes out anew', async () => {
  await analyzed();
  const id = (await idOf('executable', 'evil.exe'))!;
  await execute('update entities set attributes = null, attributes_version = 0');
  await ask('backfill_entity_attributes');
  await turn();
  expect(await last()).toMatchObject({ status: 'completed' });
  expect(await ports.entities.get(id)).toMatchObject({ attributes: { is_lolbin: false, is_gtfobin: false } });
});

it('tags all entities by the shared rules that are switched on', async () => {
  await analyzed();
  await ports.shippedRules.seed(await ports.shipped.alertRules(), ports.clock.now());
  await execute("update alert_rules set query = 'evil', enabled = true where key = 'offsec_tool'");
  await execute("update alert_rules set enabled = false where key = 'script_file'");
  const id = (await idOf('executable', 'evil.exe'))!;
  await ask('backfill_builtin_labels');
  await turn();
  expect(await last()).toMatchObject({ status: 'completed' });
  expect((await ports.entities.tagsOf([id])).get(id)).toEqual([{ name: 'offsec_tool', color: 'red' }]);
  const given = async () => ((await execute('select entity_id, tag_id from entity_tags')) as { rows: unknown[] }).rows;
  const before = await given();
  await ask('backfill_builtin_labels');
  await turn();
  expect(await given()).toEqual(before);
});
