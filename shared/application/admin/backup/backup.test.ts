import { JoseSecretBox } from '@svc/adapters/local/jose-secret-box.ts';
import { addAlertRule } from '@svc/adapters/testing/add-alert-rule.ts';
import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import {
  borrowDatabase,
  emptyTables,
  openTestDatabase,
  type TestDatabase,
} from '@svc/adapters/testing/test-database.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { BackupManifest } from '@svc/contracts/backup.ts';
import type { Actor } from '@svc/domain';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteJob } from '../../jobs/delete-job.ts';
import type { Ports } from '../../ports/ports.ts';
import { placeOf } from './backup-folder.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

let database: TestDatabase;
let giveBack: () => Promise<void>;
/** In memory, whatever the other is: what a server has goes into PGlite. */
let empty: TestDatabase;
let test: TestPorts;
let elsewhere: TestPorts;
let root: string;
let folder: string;
let boss: Extract<Actor, { kind: 'account' }>;
let done: number;

beforeAll(async () => {
  [{ database, giveBack }, empty, root] = await Promise.all([
    borrowDatabase(),
    openTestDatabase(),
    mkdtemp(join(tmpdir(), 'svc-backup-')),
  ]);
  [test, elsewhere] = await Promise.all([openTestPorts({ database }), openTestPorts({ database: empty })]);
});
beforeEach(async () => {
  await test.reset();
  await emptyTables(empty);
  for (const name of await objectsElsewhere()) await rm(join(elsewhere.folder, 'objects', name), { recursive: true });
  folder = await mkdtemp(join(root, 'one-'));
  boss = await addAdmin(test.ports);
  test.engine.behave = async () => output({ findings: [finding({ ruleName: 'é \\ " 😀 \u0001' })] });
  done = await analyzeLog(test.ports, boss, { content: 'ElfFile\0 done' });
});
afterAll(async () => {
  await Promise.all([test.close(), elsewhere.close()]);
  await Promise.all([giveBack(), empty.close()]);
  await rm(root, { recursive: true });
});

/** Folders of objects; another one is of those on their way. */
async function objectsElsewhere(): Promise<string[]> {
  const names = await readdir(join(elsewhere.folder, 'objects')).catch((): string[] => []);
  return names.filter((name) => name !== 'incoming');
}

const backup = (over: Partial<Ports> = {}) => makeBackup({ ...test.ports, ...over }, folder);
const restore = (over: Partial<Ports> = {}, withoutKeys = false) =>
  restoreBackup({ ...elsewhere.ports, ...over }, folder, { withoutKeys });
const verify = () => verifyBackup(test.ports, folder);
const fileOf = async (job: number) => (await test.ports.jobs.get(job))!.file;
const listed = ({ jobLists }: Ports) => jobLists.page(boss, { filters: [], now: new Date(0) }, { page: 1, per: 20 });

async function secretOfRule(box: Ports['secretBox']): Promise<void> {
  const sealedSecret = await box.seal('hush', 'alert_rule:1/webhook_secret');
  await addAlertRule(database.orm, 'https://hooks.example.org/', { ownerId: boss.userId, sealedSecret });
}

it('has everything, and brings it to an empty place, where numbers go on', async () => {
  await secretOfRule(test.ports.secretBox);
  const waiting = await submitLog(test.ports, boss, { content: 'ElfFile\0 waiting' });
  const manifest = await backup();
  expect(manifest.sealed_under).toEqual({ [test.ports.secretBox.keyIds()[0]!]: 1 });
  expect(manifest.objects).toMatchObject({ missing: [] });
  const key = (await fileOf(done)).storageKey;
  expect(await readFile(join(folder, placeOf(key)), 'utf8')).toBe('ElfFile\0 done');
  expect(JSON.stringify(manifest)).not.toContain('hush');

  const { objects, orphans } = await restore();
  expect({ objects, orphans }).toEqual({ objects: manifest.objects.count, orphans: 0 });
  expect(await listed(elsewhere.ports)).toEqual(await listed(test.ports));
  expect(await elsewhere.ports.findings.withEvents(done)).toEqual(await test.ports.findings.withEvents(done));
  expect(await elsewhere.ports.accounts.list()).toEqual(await test.ports.accounts.list());
  expect(await elsewhere.ports.tasks.receive({ worker: 'w', waitMs: 0 })).toMatchObject({ task: { jobId: waiting } });
  expect(await submitLog(elsewhere.ports, boss, { content: 'ElfFile\0 new' })).toBeGreaterThan(waiting);
  await expect(restore()).rejects.toThrow(/is in use: the table \w+ of its database has rows/);
});

it('reads the database again when something is deleted meanwhile', async () => {
  const going = await analyzeLog(test.ports, boss, { content: 'ElfFile\0 going' });
  const { storageKey } = await fileOf(going);
  let isGone = false;
  const objects: Ports['objects'] = Object.assign(Object.create(test.ports.objects) as Ports['objects'], {
    open: async (key: string) => {
      if (key === storageKey && !isGone) {
        isGone = true;
        await deleteJob(test.ports, boss, { id: going });
        await test.ports.objects.delete(storageKey);
      }
      return test.ports.objects.open(key);
    },
  });
  const manifest = await backup({ objects });
  expect(isGone).toBe(true);
  expect(manifest.objects.missing).toEqual([]);
  expect(manifest.tables.find(({ table }) => table === 'jobs')).toMatchObject({ rows: 1 });
  expect(await restore()).toMatchObject({ orphans: 0, objects: manifest.objects.count });
});

it('names what the service itself has lost, and has the rest', async () => {
  const { storageKey } = await fileOf(done);
  await test.ports.objects.delete(storageKey);
  const manifest = await backup();
  expect(manifest.objects.missing).toEqual([storageKey]);
  await expect(restore()).resolves.toMatchObject({ orphans: 0 });
});

it('goes on with one that was broken off, without what is no longer named', async () => {
  let opened = 0;
  const objects: Ports['objects'] = Object.assign(Object.create(test.ports.objects) as Ports['objects'], {
    open: async (key: string) => {
      opened += 1;
      if (opened === 2) throw new Error('the power went');
      return test.ports.objects.open(key);
    },
  });
  await submitLog(test.ports, boss, { content: 'ElfFile\0 more' });
  await expect(backup({ objects })).rejects.toThrow('the power went');
  await expect(verify()).rejects.toThrow('this backup was broken off; make it again');
  const leftover = join(folder, 'objects/00/00000000000000000000000000000000.evtx');
  await mkdir(join(folder, 'objects/00'), { recursive: true });
  await writeFile(leftover, 'of a job that is gone');
  const { objects: made } = await backup();
  await expect(readFile(leftover)).rejects.toThrow('ENOENT');
  await expect(verify()).resolves.toMatchObject({ objects: { count: made.count } });
  await expect(backup()).rejects.toThrow('has a backup already');
  const other = await mkdtemp(join(root, 'other-'));
  await writeFile(join(other, 'mine.txt'), '');
  await expect(makeBackup(test.ports, other)).rejects.toThrow('has other files in it');
});

it('is found to be damaged, part by part, and not restored', async () => {
  await backup();
  const object = placeOf((await fileOf(done)).storageKey);
  await appendFile(join(folder, object), '!');
  await truncate(join(folder, 'database/jobs.jsonl.gz'), 20);
  await rm(join(folder, 'database/accounts.jsonl.gz'));
  const damage = new RegExp(
    [
      'damaged:',
      'database/accounts.jsonl.gz is missing',
      'database/jobs.jsonl.gz has 20 bytes, not \\d+',
      `${object} has 14 bytes, not 13`,
    ].join('\\n(.*\\n)*'),
  );
  await expect(verify()).rejects.toThrow(damage);
  await expect(restore()).rejects.toThrow(damage);
  expect(await objectsElsewhere()).toEqual([]);
  await writeFile(join(folder, 'manifest.json'), '{"format":1');
  await expect(verify()).rejects.toThrow('manifest.json is damaged');
});

it('of a later version is refused by its name', async () => {
  await backup();
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as BackupManifest;
  for (const later of [{ schema: { name: '9999_later', at: 9_999_999_999_999 } }, { version: '0.10.0' }]) {
    await writeFile(path, JSON.stringify({ ...manifest, version: '0.2.0', ...later }));
    await expect(restore()).rejects.toThrow(/made by version 0\.(2|10)\.0 .* this one \(0\.0\.0-test\) does not know/);
  }
});

it('asks for the keys under which its secrets are sealed, unless they are lost', async () => {
  const old = new JoseSecretBox('another key', [], silentLog);
  await secretOfRule(old);
  await backup();
  await expect(restore()).rejects.toThrow(`is not here: ${old.keyIds()[0]} (1 secret)`);
  await expect(restore({ secretBox: old })).resolves.toMatchObject({ orphans: 0 });
  await emptyTables(empty);
  await expect(restore({}, true)).resolves.toMatchObject({ orphans: 0 });
});

it('goes into a store that has nothing else, and goes on after it was broken off', async () => {
  await backup();
  const strange = await elsewhere.ports.objects.create(
    '.evtx',
    (async function* () {
      yield new Uint8Array(1);
    })(),
  );
  await expect(restore()).rejects.toThrow(`its store has the object ${strange.key}`);
  await elsewhere.ports.objects.delete(strange.key);
  const databaseArchive: Ports['databaseArchive'] = Object.assign(
    Object.create(elsewhere.ports.databaseArchive) as Ports['databaseArchive'],
    { load: () => Promise.reject(new Error('the power went')) },
  );
  await expect(restore({ databaseArchive })).rejects.toThrow('the power went');
  await expect(restore()).resolves.toMatchObject({ orphans: 0 });
});
