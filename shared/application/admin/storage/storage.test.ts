import { contentOf } from '@svc/adapters/testing/content.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog, analyzeNext, plainSubmission, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteOne } from '../../jobs/delete-job.ts';
import type { Ports } from '../../ports/ports.ts';
import { spoolUpload } from '../../submissions/spool-upload.ts';
import { uploadFile } from '../../submissions/upload-file.ts';
import { removeOldOutputs } from '../../work/remove-by-age.ts';
import { removeDroppedObjects } from '../../work/remove-dropped-objects.ts';
import { runBackgroundTask } from '../../work/run-background-task.ts';
import { checkUnowned } from './check-unowned.ts';
import { getDatabaseSizes, getStorage } from './get-storage.ts';
import { vacuumDatabase } from './request-storage-task.ts';
import { requesting } from '../tasks/change-background-task.ts';
import { setOutputRetention } from './retention.ts';
import { sweepStore } from './sweep-store.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const [hour, day] = [3600, 86_400];
const never = new AbortController().signal;
let test: TestPorts;
let ports: Ports;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  admin = await addAdmin(ports);
  for (const { key } of await everything()) await ports.objects.delete(key);
  const raw = { chunks: [Buffer.from('{"ts":null}\n')], isTruncated: false };
  test.engine.behave = async () => output({ derived: derived(), raw });
});
afterAll(() => test.close());

async function everything() {
  const { objects, next } = await ports.objectListing.page(null);
  expect(next).toBeNull();
  return objects;
}

/** An object that no row will name, as a killed process leaves it. */
async function orphan(area: 'uploads' | 'outputs' = 'uploads', size = 10): Promise<string> {
  return (await ports.objects.create('.bin', contentOf(new Uint8Array(size)), area)).key;
}

/** What a purge says in the end. */
async function purge(over: Partial<Ports> = {}): Promise<string | null> {
  const { task_id: taskId } = await requesting('purge_orphaned_storage')(ports, admin);
  await runBackgroundTask({ ...ports, ...over }, { kind: 'purge_orphaned_storage', taskId }, never);
  const task = (await ports.backgroundTasks.ended(50)).find(({ id }) => id === taskId);
  return task?.errorMessage ?? task?.detail ?? null;
}

/** Every key that a row names as somebody's. */
async function ownedKeys(ids: readonly number[]): Promise<string[]> {
  const keys: string[] = [];
  for (const id of ids) {
    const record = await ports.jobs.get(id);
    if (record === null) continue;
    keys.push(record.file.storageKey, ...(await ports.rawOutputs.ofJob(id)).map(({ storageKey }) => storageKey));
  }
  return [...new Set(keys)];
}

it('says what takes room, with the jobs that take most and what nobody owns', async () => {
  const small = await analyzeLog(ports, visitor, { content: 'ElfFile\0a', fileName: 'small.evtx' });
  const large = await analyzeLog(ports, visitor, { content: `ElfFile\0${'b'.repeat(5000)}`, fileName: 'large.evtx' });
  const [gone, ownerless] = [await orphan('uploads', 100), await orphan('outputs', 200)];
  const young = await getStorage(ports, { force: false });
  expect(young.unowned).toEqual({ count: 0, bytes: 0, sample: [] });
  test.advance(2 * hour);
  const told = await getStorage(ports, { force: true });
  expect(told.uploads_bytes).toBe(9 + 5008 + 100);
  expect(told.unowned).toMatchObject({ count: 2, bytes: 300 });
  expect(told.unowned.sample.map(({ key }) => key).sort()).toEqual([gone, ownerless].sort());
  expect(told.largest_jobs.map(({ job_id, filename }) => [job_id, filename])).toEqual([
    [large, 'large.evtx'],
    [small, 'small.evtx'],
  ]);
  const ofLarge = await ports.rawOutputs.ofJob(large);
  expect(told.outputs_bytes).toBeGreaterThan(200 + ofLarge.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  expect(told.largest_jobs[0]?.bytes).toBeGreaterThan(5008);
  expect(told.disk?.free).toBeLessThanOrEqual(told.disk?.total ?? 0);
  expect(told.db.bytes).toBeGreaterThan(1_000_000);
  expect(told.walk).toMatchObject({ objects: (await everything()).length });
  expect(operations.getStorage.output.parse(told)).toEqual(told);
  // A job that is gone since has no name any more.
  await deleteOne(ports, large, null);
  expect((await getStorage(ports, { force: false })).largest_jobs.map(({ job_id }) => job_id)).toEqual([small]);
});

it('looks at the store again after a minute, or when it must', async () => {
  let pages = 0;
  const objectListing = overriding(ports.objectListing, {
    page: (after) => ((pages += 1), ports.objectListing.page(after)),
  });
  const looking = { ...ports, objectListing };
  await getStorage(looking, { force: false });
  await getStorage(looking, { force: false });
  expect(pages).toBe(1);
  await getStorage(looking, { force: true });
  expect(pages).toBe(2);
  test.advance(61);
  await getStorage(looking, { force: false });
  expect(pages).toBe(3);
});

it('counts a store that takes longer than a request by several, whichever process answers', async () => {
  const each = Array.from({ length: 5 }, (_, at) => ({
    key: `${String(at).repeat(32)}.bin`,
    sizeBytes: 10 ** at,
    storedAt: new Date(),
  }));
  // Each page takes four seconds.
  const objectListing = overriding(ports.objectListing, {
    page: async (after) => {
      test.advance(4);
      const at = after === null ? 0 : Number(after);
      return { objects: each.slice(at, at + 1), next: at + 1 < each.length ? String(at + 1) : null };
    },
  });
  const slow = { ...ports, objectListing };
  expect(await getStorage(slow, { force: true })).toMatchObject({ uploads_bytes: 11, walk: { ended_at: null } });
  // Two who go on at once count nothing twice.
  await Promise.all([getStorage(slow, { force: true }), getStorage(slow, { force: false })]);
  await getStorage(slow, { force: false });
  const whole = await getStorage(slow, { force: false });
  expect(whole).toMatchObject({ uploads_bytes: 11_111, walk: { objects: 5 } });
  expect(whole.walk.ended_at).not.toBeNull();
  // What was left half-way is not gone on with a day later.
  await getStorage(slow, { force: true });
  test.advance(day);
  expect(await getStorage(slow, { force: false })).toMatchObject({ uploads_bytes: 11 });
});

it('purges what no row names, but nothing that may be on its way', async () => {
  const id = await analyzeLog(ports, visitor, { content: 'ElfFile\0a' });
  const gone = [await orphan(), await orphan('outputs')];
  expect(await purge()).toMatch(/^0 objects removed/);
  test.advance(2 * hour);
  // What is to be fetched by a link, or waits for its row, has been noted.
  const noted = await orphan('outputs');
  await ports.droppedObjects.note([noted], new Date(Date.now() + day * 1000));
  const young = await orphan();
  const path = join(test.folder, 'objects', young.slice(0, 2), young);
  const soon = new Date(ports.clock.now().getTime() - 1000);
  await utimes(path, soon, soon);
  expect(await purge()).toMatch(/^2 objects removed \(20.B\) of 8 objects looked at$/);
  const left = (await everything()).map(({ key }) => key);
  expect(left).toEqual(expect.arrayContaining([...(await ownedKeys([id])), noted, young]));
  for (const key of gone) expect(left).not.toContain(key);
});

it('goes on with a purge that was interrupted, leaves what cannot be removed, and stops when told to', async () => {
  const keys = [await orphan(), await orphan(), await orphan()];
  test.advance(2 * hour);
  const refusing = overriding(ports.objects, {
    delete: (key) =>
      key === keys[0] ? Promise.reject(new AppError('unavailable', 'no store')) : ports.objects.delete(key),
  });
  expect(await purge({ objects: refusing })).toMatch(/^2 objects removed/);
  expect((await everything()).map(({ key }) => key)).toEqual([keys[0]]);

  const { task_id: taskId } = await requesting('purge_orphaned_storage')(ports, admin);
  const task = { kind: 'purge_orphaned_storage', taskId } as const;
  const broken = overriding(ports.objectListing, {
    page: () => Promise.reject(new AppError('unavailable', 'no store')),
  });
  await runBackgroundTask({ ...ports, objectListing: broken }, task, never);
  expect((await ports.backgroundTasks.ended(1))[0]).toMatchObject({ status: 'failed', errorMessage: 'no store' });

  let pages = 0;
  const endless = overriding(ports.objectListing, {
    page: async () => {
      pages += 1;
      if (pages === 3)
        await ports.backgroundTasks.cancel((await ports.backgroundTasks.inFlight()).at(-1)!.id, new Date());
      return { objects: [], next: String(pages) };
    },
  });
  await purge({ objectListing: endless });
  expect((await ports.backgroundTasks.ended(1))[0]?.status).toBe('cancelled');
  expect(pages).toBe(3);
});

it('sweeps by itself what a day has not found an owner for, once a day', async () => {
  const id = await analyzeLog(ports, visitor, { content: 'ElfFile\0a' });
  const owned = await ownedKeys([id]);
  const gone = await orphan();
  test.advance(2 * hour);
  expect(await sweepStore(ports)).toBe(0);
  expect(await ports.objects.exists(gone)).toBe(true);
  test.advance(day);
  expect(await sweepStore(ports)).toBe(1);
  expect(await ports.objects.exists(gone)).toBe(false);
  const later = await orphan();
  test.advance(hour);
  expect(await sweepStore(ports)).toBe(0);
  test.advance(2 * day);
  expect(await sweepStore(ports)).toBe(1);
  expect(await ports.objects.exists(later)).toBe(false);
  for (const key of owned) expect(await ports.objects.exists(key)).toBe(true);
});

it('sweeps nothing where the database seems to be that of another store', async () => {
  for (let at = 0; at < 21; at += 1) await orphan();
  test.advance(2 * day);
  const told: string[] = [];
  const log = overriding(ports.log, { error: (message: string) => void told.push(message) });
  expect(await sweepStore({ ...ports, log })).toBe(0);
  expect(await everything()).toHaveLength(21);
  expect(told).toEqual(['much of the store belongs to no row of this database, so nothing was removed']);
  expect(await checkUnowned(ports)).toMatchObject([{ level: 'WARN', name: 'Objects that nobody owns' }]);
  // Whoever has looked at them can have them removed.
  expect(await purge()).toMatch(/^21 objects removed/);
  expect(await checkUnowned(ports)).toEqual([]);
});

it('says who decides how long things are kept, and lets outputs be decided', async () => {
  const rows = async () => (await getStorage(ports, { force: false })).retention;
  expect((await rows())[0]).toEqual({
    name: 'job_outputs',
    variable: 'JOB_OUTPUT_RETENTION_DAYS',
    days: 90,
    source: 'default',
    overridable: true,
    disabled: false,
  });
  const set = (days: unknown) =>
    setOutputRetention(ports, operations.setOutputRetention.body.parse({ job_output_retention_days: days }));
  expect(await set(7)).toMatchObject({ days: 7, source: 'override' });
  expect(await set('-3')).toMatchObject({ days: 0, source: 'override', disabled: true });
  expect(await set('30')).toMatchObject({ days: 30, source: 'override' });
  const given = { ...ports, deployment: { ...ports.deployment, retentionGiven: ['outputs', 'uploads'] as const } };
  expect(await setOutputRetention(given, { job_output_retention_days: null })).toMatchObject({
    days: 90,
    source: 'env',
  });
  for (const sent of ['', ' ', null]) expect(await set(sent)).toMatchObject({ days: 90, source: 'default' });
  for (const sent of [1.5, '1.5', 'ten', true, undefined, 36_501, {}]) {
    expect([sent, operations.setOutputRetention.body.safeParse({ job_output_retention_days: sent }).success]).toEqual([
      sent,
      false,
    ]);
  }
  expect((await rows()).map(({ name, days, disabled }) => [name, days, disabled])).toEqual([
    ['job_outputs', 90, false],
    ['uploads', 0, true],
    ['activity', 90, false],
    ['background_tasks', 30, false],
    ['webhook_deliveries', 30, false],
    ['deleted_comments', 180, false],
    ['revoked_tokens', 90, false],
    ['happenings', 7, false],
    ['sessions', 1, false],
  ]);
});

it('removes outputs by the setting as soon as it is made, when asked to', async () => {
  const id = await analyzeLog(ports, visitor);
  test.advance(20 * day);
  const run = async (): Promise<string | null | undefined> => {
    const { task_id: taskId } = await requesting('cleanup_old_job_outputs')(ports, admin);
    await runBackgroundTask(ports, { kind: 'cleanup_old_job_outputs', taskId }, never);
    return (await ports.backgroundTasks.ended(1))[0]?.detail;
  };
  expect(await run()).toBe('there was nothing to remove');
  await setOutputRetention(ports, { job_output_retention_days: 14 });
  expect(await run()).toBe('2 raw outputs removed');
  expect(await ports.rawOutputs.ofJob(id)).toEqual([]);
});

it('tells the sizes of tables, and writes them anew where the database is its own', async () => {
  for (let at = 0; at < 3; at += 1) await submitLog(ports, visitor, { content: `ElfFile\0${at}` });
  const { bytes, tables } = await getDatabaseSizes(ports);
  const jobs = tables.find(({ name }) => name === 'jobs');
  // The database has not looked yet: that is not none.
  expect(jobs?.rows).toBeNull();
  expect(jobs?.bytes).toBeGreaterThan(jobs?.index_bytes ?? 0);
  expect(jobs?.index_bytes).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(jobs?.bytes ?? 0);
  // Two are enough: a busy disk takes its time for all.
  const two = tables.filter(({ name }) => name === 'jobs' || name === 'uploaded_files');
  const databaseUpkeep = overriding(ports.databaseUpkeep, {
    tables: async () => two.map(({ index_bytes: indexBytes, ...table }) => ({ ...table, indexBytes })),
  });
  const { task_id: taskId } = await vacuumDatabase(ports, admin);
  await runBackgroundTask({ ...ports, databaseUpkeep }, { kind: 'vacuum_database', taskId }, never);
  expect((await ports.backgroundTasks.ended(1))[0]).toMatchObject({
    status: 'completed',
    detail: expect.stringMatching(/ before, .* now$/) as unknown,
  });
  // Written anew, a table has been counted.
  expect((await getDatabaseSizes(ports)).tables.find(({ name }) => name === 'jobs')?.rows).toBe(3);
  const elsewhere = { ...ports, deployment: { ...ports.deployment, embedded: false } };
  await expect(vacuumDatabase(elsewhere, admin)).rejects.toMatchObject({ code: 'bad_request' });
});

it('vacuums no table that the disk has no room for', async () => {
  const objects = overriding(ports.objects, { check: async () => ({ freeBytes: 20_000 }) });
  const { task_id: taskId } = await vacuumDatabase(ports, admin);
  await runBackgroundTask({ ...ports, objects }, { kind: 'vacuum_database', taskId }, never);
  expect((await ports.backgroundTasks.ended(1))[0]?.detail).toMatch(/too little room on the disk for .*jobs/);
});

it('never removes what is owned, however submissions, deletions and sweeps meet', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const ids: number[] = [];
  let [naming, refused, passed] = [0, 0, 0];
  /** A row is written within half an hour, as the rule for sweeps has it. */
  const pass = (seconds: number): void => {
    if (naming > 0) return;
    passed += seconds;
    test.advance(seconds);
  };
  // What is stored has the time of the clock that is moved here.
  const storedAt = new Map<string, Date>();
  const { objects: store, objectListing: listing } = ports;
  const create: Ports['objects']['create'] = async (...what) => {
    const stored = await store.create(...what);
    storedAt.set(stored.key, ports.clock.now());
    return stored;
  };
  const page: Ports['objectListing']['page'] = async (after) => {
    const { objects, next } = await listing.page(after);
    return { objects: objects.map((one) => ({ ...one, storedAt: storedAt.get(one.key) ?? ports.clock.now() })), next };
  };
  // What is still being written has the machine's time.
  const removeUnfinished: Ports['objectListing']['removeUnfinished'] = () => listing.removeUnfinished(new Date());
  const moved = { page, removeUnfinished };
  ports = { ...ports, objects: overriding(store, { create }), objectListing: overriding(listing, moved) };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    naming += 1;
    return work().finally(() => (naming -= 1));
  };
  const workflow_id = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
  const submitted = async (): Promise<void> => {
    const content = contentOf(`ElfFile\0${Math.floor(random() * 6)}`);
    const before = passed;
    const spooled = await spoolUpload(ports, { fileName: 'a.evtx', content });
    if (random() < 0.3) pass(2 * hour);
    await within(async () => {
      const file = { ...spooled, spooledAt: (spooled.spooledAt ?? 0) - (passed - before) * 1000 };
      const sent = uploadFile(ports, visitor, { ...plainSubmission, workflow_id, file });
      await sent.then(
        ({ job_id: id }) => ids.push(id),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'bad_request' });
          refused += 1;
        },
      );
    });
  };
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => submitted(),
    () => submitted(),
    () => submitted(),
    () => within(() => analyzeNext(ports)).catch(() => undefined),
    () => deleteOne(ports, ids[Math.floor(random() * ids.length)] ?? 0, null),
    () => orphan(random() < 0.5 ? 'uploads' : 'outputs'),
    () => purge(),
    () => sweepStore(ports),
    () => removeDroppedObjects(ports),
    () => removeOldOutputs(ports),
    async () => pass(random() < 0.2 ? 2 * day : 2 * hour),
  ];
  const act = async (): Promise<void> => {
    for (let step = 0; step < 20; step += 1) await deeds[Math.floor(random() * deeds.length)]?.();
  };
  await Promise.all([act(), act(), act(), act()]);
  const owned = await ownedKeys(ids);
  const missing = [];
  for (const key of owned) if (!(await ports.objects.exists(key))) missing.push(key);
  expect({ seed, missing }).toEqual({ seed, missing: [] });
  test.advance(3 * day);
  await removeDroppedObjects(ports);
  await purge();
  const named = new Set(await ownedKeys(ids));
  const others = (await everything()).filter(({ key }) => !named.has(key)).map(({ key }) => key);
  // Sample events are named, too.
  expect({ seed, others: await ports.storageRecords.unnamed(others) }).toEqual({ seed, others: [] });
  console.info(`${ids.length} submissions, ${refused} of them too late, ${owned.length} objects owned`);
}, 240_000);

/** Numbers from 0 to 1, the same for one seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
