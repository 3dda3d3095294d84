import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog, analyzeNext, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { borrowDatabase, type TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { AppError, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOne } from '../jobs/delete-job.ts';
import { storeEventPack } from '../analysis/store-event-pack.ts';
import { beginTasks } from '../analysis/begin-tasks.ts';
import type { Ports } from '../ports/ports.ts';
import { readBytes } from '../rules/stored-object.ts';
import { moveSampleEvents } from './move-sample-events.ts';
import { removeDroppedObjects } from './remove-dropped-objects.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const day = 86_400;
let database: TestDatabase;
let giveBack: () => Promise<void>;
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  ({ database, giveBack } = await borrowDatabase());
  test = await openTestPorts({ database });
}, 120_000);
afterAll(async () => {
  await test?.close();
  await giveBack?.();
});

const [event] = finding().events;
const fields = { Zeta: 'first', Image: 'C:\\Windows\\Cmd.exe', Alpha: 'Ünïcode "quoted" 100%' };
const found = [
  finding({ ruleId: 'a', severity: 'low', events: [{ ...event!, fields }] }),
  finding({ ruleId: 'b', severity: 'critical', events: [], ruleSource: null }),
  finding({ ruleId: 'c', count: 2, events: ['7', '8'].map((recordId) => ({ ...event!, recordId })) }),
];

beforeEach(async () => {
  await test.reset();
  ({ ports } = test);
  test.engine.behave = async () => output({ findings: found });
});

const packKeys = async (): Promise<string[]> =>
  (
    await rowsOf<{ key: string }>(database.orm, sql`select storage_key as key from event_packs order by task_result_id`)
  ).map(({ key }) => key);
const rowsLeft = async (): Promise<number> =>
  (await rowsOf<{ count: number }>(database.orm, sql`select count(*)::int as count from finding_events`))[0]!.count;
const noted = (): Promise<readonly string[]> =>
  ports.droppedObjects.list({ by: new Date(Date.now() + 9 * day * 1000), after: '', limit: 99 });
const refusing = (): Ports['objects'] =>
  overriding(ports.objects, { create: () => Promise.reject(new AppError('low_space', 'full')) });
/** Submits and analyses where the store takes uploads alone. */
async function analyzedInRows(): Promise<number> {
  const id = await submitLog(ports, visitor, { content: `ElfFile\0${Math.random()}` });
  await analyzeNext({ ...ports, objects: refusing() });
  return id;
}

/** Everything that is told of sample events and rules, whatever the numbers of the findings. */
async function told(jobId: number) {
  const all = await ports.findings.withEvents(jobId);
  const ruleOf = new Map(all.map(({ id, ruleId }) => [id, ruleId]));
  const naming = async (text: string) =>
    (await ports.findings.withEventText(jobId, text)).map(({ id, events }) => [ruleOf.get(id), events]);
  return {
    all: all.map(({ ruleId, events, hasEvents, hasRule }) => ({
      ruleId,
      hasEvents,
      hasRule,
      json: JSON.stringify(events),
    })),
    each: await Promise.all(all.map(async ({ id }) => JSON.stringify(await ports.findings.events(id)))),
    rules: await Promise.all(all.map(async ({ id }) => ports.findings.ruleSource(id))),
    naming: await Promise.all(['c:\\windows\\CMD.exe', 'QUOTED" 100%', 'nobody'].map(naming)),
    samples: await ports.findings.sampleEvents(jobId, 2),
  };
}

const expected = {
  all: [
    { ruleId: 'b', hasEvents: false, hasRule: false, json: '[]' },
    { ruleId: 'c', hasEvents: true, hasRule: true, json: JSON.stringify(found[2]!.events) },
    { ruleId: 'a', hasEvents: true, hasRule: true, json: JSON.stringify(found[0]!.events) },
  ],
  each: ['[]', JSON.stringify(found[2]!.events), JSON.stringify(found[0]!.events)],
  rules: [null, found[2]!.ruleSource, found[0]!.ruleSource],
  naming: [[['a', found[0]!.events]], [['a', found[0]!.events]], []],
  samples: found[2]!.events,
};

describe('sample events of an analysis', () => {
  it('are an object, which any program unpacks, and are told as they were found', async () => {
    const id = await analyzeLog(ports, visitor);
    expect(await told(id)).toEqual(expected);
    expect(await rowsLeft()).toBe(0);
    expect(await noted()).toEqual([]);
    const [key, ...others] = await packKeys();
    expect(others).toEqual([]);
    const lines = gunzipSync(await readBytes(ports, key!))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([found[0]!.events, found[2]!.events]);
  });

  it('are read by their range where the object is large', async () => {
    const noise = (size: number) =>
      Array.from({ length: size }, (_, n) => Math.imul(n + 1, 2_654_435_761) >>> 0).join(' ');
    const large = finding({ ruleId: 'a', severity: 'low', events: [{ ...event!, fields: { Data: noise(80_000) } }] });
    test.engine.behave = async () => output({ findings: [large, found[2]!] });
    const id = await analyzeLog(ports, visitor);
    const [key] = await packKeys();
    expect((await readBytes(ports, key!)).length).toBeGreaterThan(262_144);
    const [worst, other] = await ports.findings.withEvents(id);
    expect([worst!.events, other!.events]).toEqual([found[2]!.events, large.events]);
    expect(await ports.findings.events(worst!.id)).toEqual(found[2]!.events);
    expect(await ports.findings.events(other!.id)).toEqual(large.events);
  });

  it('make no object where there are none', async () => {
    test.engine.behave = async () => output({ findings: [found[1]!] });
    const id = await analyzeLog(ports, visitor);
    expect(await packKeys()).toEqual([]);
    expect(await ports.findings.withEvents(id)).toMatchObject([{ ruleId: 'b', events: [] }]);
  });

  it('share the text of their rules', async () => {
    await analyzeLog(ports, visitor, { content: 'ElfFile\0one' });
    await analyzeLog(ports, visitor, { content: 'ElfFile\0two' });
    expect(await rowsOf(database.orm, sql`select source from rule_sources`)).toEqual([
      { source: found[0]!.ruleSource },
    ]);
  });

  it('go with their job, and with the attempt that found them', async () => {
    const id = await analyzeLog(ports, visitor);
    const [key] = await packKeys();
    await deleteOne(ports, id, visitor);
    expect(await packKeys()).toEqual([]);
    expect(await ports.objects.exists(key!)).toBe(false);
    expect(await noted()).toEqual([]);

    const again = await analyzeLog(ports, visitor);
    const [first] = await packKeys();
    await database.orm.execute(sql`update jobs set status = 'running', claim = 'other'`);
    await beginTasks(ports, { id: again, claim: 'other' }, [], ports.clock.now());
    expect(await noted()).toEqual([first]);
    await removeDroppedObjects(ports);
    expect(await ports.objects.exists(first!)).toBe(false);
  });

  it('are taken back by a worker whose job is gone', async () => {
    const id = await submitLog(ports, visitor);
    const made: string[] = [];
    const objects = overriding(ports.objects, {
      create: async (...args) => {
        const stored = await ports.objects.create(...args);
        made.push(stored.key);
        await deleteOne(ports, id, visitor);
        return stored;
      },
    });
    await analyzeNext({ ...ports, objects });
    expect(made).toHaveLength(1);
    expect(await ports.objects.exists(made[0]!)).toBe(false);
    expect(await noted()).toEqual([]);
  });

  it('are swept a day after a process was killed before it named them, and not before', async () => {
    const pack = await storeEventPack(ports, [found[0]!.events]);
    await removeDroppedObjects(ports);
    expect(await ports.objects.exists(pack!.storageKey)).toBe(true);
    test.advance(day + 1);
    expect(await removeDroppedObjects(ports)).toBe(1);
    expect(await ports.objects.exists(pack!.storageKey)).toBe(false);
  });

  it('are not named once a sweep has taken them', async () => {
    const id = await submitLog(ports, visitor);
    const results = overriding(ports.results, {
      finishTask: async (...args) => {
        test.advance(day + 1);
        await removeDroppedObjects(ports);
        return ports.results.finishTask(...args);
      },
    });
    await expect(analyzeNext({ ...ports, results })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await ports.jobs.get(id))?.job.status).toBe('running');
    expect(await ports.findings.withEvents(id)).toEqual([]);
  });

  it('are missing, and the report is not, where the store has lost them', async () => {
    const id = await analyzeLog(ports, visitor);
    for (const key of await packKeys()) await ports.objects.delete(key);
    expect((await ports.findings.withEvents(id)).map(({ events }) => events)).toEqual([[], [], []]);
    expect(await ports.findings.withEventText(id, 'cmd')).toEqual([]);
  });
});

describe('sample events in the database', () => {
  it('are told the same before and after they are moved, which happens once', async () => {
    const id = await analyzedInRows();
    expect(await rowsLeft()).toBe(2);
    expect(await told(id)).toEqual(expected);
    expect(await moveSampleEvents(ports)).toBe(1);
    expect(await rowsLeft()).toBe(0);
    expect(await told(id)).toEqual(expected);
    expect(await noted()).toEqual([]);
    expect(await moveSampleEvents(ports)).toBe(0);
    expect(await packKeys()).toHaveLength(1);
  });

  it('of versions before are moved, too, with their rules', async () => {
    const id = await analyzedInRows();
    // As they were kept: rules with each finding, fields in the order of jsonb.
    await database.orm.execute(sql`
      update findings set rule_source = source, rule_source_id = null from rule_sources where rule_sources.id = rule_source_id`);
    await database.orm.execute(sql`delete from rule_sources`);
    await database.orm.execute(sql`update finding_events set events = in_order::jsonb, in_order = null`);
    const before = await told(id);
    expect(before.rules).toEqual(expected.rules);
    expect(await ports.results.leftToMove()).toBe(2);
    expect(await moveSampleEvents(ports)).toBe(3);
    expect(await ports.results.leftToMove()).toBe(0);
    expect(await told(id)).toEqual(before);
    expect(await rowsOf(database.orm, sql`select id from findings where rule_source is not null`)).toEqual([]);
  });

  it('go on being moved where that broke off', async () => {
    const ids = [await analyzedInRows(), await analyzedInRows(), await analyzedInRows()];
    let stored = 0;
    const objects = overriding(ports.objects, {
      create: (...args) => {
        stored += 1;
        return stored === 2 ? Promise.reject(new AppError('unavailable', 'gone')) : ports.objects.create(...args);
      },
    });
    await expect(moveSampleEvents({ ...ports, objects })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rowsLeft()).toBe(4);
    for (const id of ids) expect(await told(id)).toEqual(expected);
    expect(await moveSampleEvents(ports)).toBe(2);
    for (const id of ids) expect(await told(id)).toEqual(expected);
    expect(await rowsLeft()).toBe(0);
  });

  it('are moved once where two do it, and nowhere when their job goes meanwhile', async () => {
    await analyzedInRows();
    const objects = overriding(ports.objects, {
      create: async (...args) => {
        const stored = await ports.objects.create(...args);
        await moveSampleEvents(ports);
        return stored;
      },
    });
    expect(await moveSampleEvents({ ...ports, objects })).toBe(0);
    expect(await packKeys()).toHaveLength(1);

    const gone = await analyzedInRows();
    const made: string[] = [];
    const deleting = overriding(ports.objects, {
      create: async (...args) => {
        const stored = await ports.objects.create(...args);
        made.push(stored.key);
        await deleteOne(ports, gone, visitor);
        return stored;
      },
    });
    expect(await moveSampleEvents({ ...ports, objects: deleting })).toBe(0);
    expect(await ports.objects.exists(made[0]!)).toBe(false);
    expect(await noted()).toEqual([]);
  });
});
