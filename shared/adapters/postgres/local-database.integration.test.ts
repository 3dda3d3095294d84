import { sql } from 'drizzle-orm';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { describeWith } from '../../../test/support/programs.ts';
import { copyDatabase, copyServerDatabase } from '../testing/database-template.ts';
import { silentLog } from '../testing/silent-log.ts';
import { EmbeddedDatabase } from './database.ts';
import { LocalDatabase } from './local-database.ts';
import { rowsOf as query } from './rows-of.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const slow = 400_000;
const root = mkdtempSync(join(tmpdir(), 'svc-local-'));
let owner = '';
/** A data folder whose database is made and empty. */
let made = '';

beforeAll(async () => {
  await chmod(root, 0o711);
  await bundleThread('database-thread', new URL('./database-thread.ts', import.meta.url));
  owner = fileURLToPath(
    await bundleThread('killed-server-owner', new URL('../testing/killed-server-owner.ts', import.meta.url)),
  );
  made = join(root, 'made');
  await copyServerDatabase(made);
});
// A server of the last test may still be stopping.
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const open: LocalDatabase[] = [];
const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const database of open.splice(0).toReversed()) await database.close();
});

let folders = 0;
const newFolder = (): string => join(root, `data-${(folders += 1)}`);

/** As `made` is, with owners and modes. */
function madeFolder(): string {
  const folder = newFolder();
  expect(spawnSync('cp', ['-a', made, folder]).status).toBe(0);
  return folder;
}

function databaseOn(folder: string, log = silentLog): LocalDatabase {
  const database = new LocalDatabase(folder, log);
  open.push(database);
  return database;
}

async function opened(folder: string): Promise<LocalDatabase> {
  const database = databaseOn(folder);
  await database.open();
  return database;
}

async function closeAll(): Promise<void> {
  for (const database of open.splice(0).toReversed()) await database.close();
}

const insert = (database: LocalDatabase, id: number) =>
  database.orm.execute(sql`insert into queued_tasks (job_id, enqueued_at, due_at) values (${id}, now(), now())`);

async function rowsOf(database: LocalDatabase): Promise<number[]> {
  const rows = await database.orm
    .select({ id: sql<number>`job_id` })
    .from(sql`queued_tasks`)
    .orderBy(sql`job_id`);
  return rows.map(({ id }) => id);
}

const serverOf = (folder: string, cluster = '18'): number =>
  Number(readFileSync(join(folder, 'postgres', cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Whether a start has got as far as making this path; `*` stands for the random end of the unfinished cluster's name. */
function isThere(folder: string, path: string): boolean {
  const [unfinished] =
    spawnSync('ls', [join(folder, 'postgres')], { encoding: 'utf8' }).stdout.match(/18\.making-.*/) ?? [];
  return existsSync(join(folder, path.replace('18.making', unfinished ?? '18.making')));
}

/** Another process that serves the folder and writes; what it was answered is in `rows`. */
function startOwner(folder: string, as: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [owner, folder], { stdio: ['ignore', 'pipe', 'pipe'], ...as });
  running.push(child);
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const rows = (): number[] => printed.split('\n').slice(0, -1).map(Number);
  return {
    rows,
    said: () => said,
    kill: async () => {
      child.kill('SIGKILL');
      if (child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      return rows();
    },
  };
}

describe('the first start', () => {
  it('makes a database of its own for the account that runs it alone, and keeps its rows', async () => {
    const folder = madeFolder();
    const first = await opened(folder);
    expect(await first.migrations()).toBe('at_head');
    await insert(first, 7);
    const cluster = await stat(join(folder, 'postgres/18'));
    expect(cluster.mode & 0o777).toBe(0o700);
    expect(cluster.uid).toBe(isRoot ? nobody : process.getuid?.());
    expect(statSync(join(folder, 'postgres/18/global/pg_control')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'postgres/run')).mode & 0o777).toBe(0o700);
    if (process.platform === 'linux') expect(statSync(`/proc/${serverOf(folder)}`).uid).toBe(cluster.uid);
    await expect(databaseOn(folder).open()).rejects.toThrow('uses this data directory');
    const pid = serverOf(folder);
    await closeAll();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(join(folder, 'postgres/18/postmaster.pid'))).toBe(false);
    expect(await rowsOf(await opened(folder))).toEqual([7]);
  });

  it('answers `unavailable` before it is open', async () => {
    await expect(databaseOn(newFolder()).check()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(['postgres/address.json', 'postgres/18.making', 'postgres/18.making/PG_VERSION', 'postgres/18'])(
    'is begun anew, or gone on with, when it was killed at %s',
    async (step) => {
      const folder = newFolder();
      const killed = startOwner(folder);
      await expect.poll(() => isThere(folder, step), { interval: 1, timeout: 90_000 }).toBe(true);
      const answered = await killed.kill();
      const rows = await rowsOf(await opened(folder));
      expect(rows.slice(0, answered.length)).toEqual(answered);
      expect(readdirSync(join(folder, 'postgres')).filter((name) => name.includes('making'))).toEqual([]);
    },
  );

  it('goes on where a crash has left an empty file of the server that ran', async () => {
    const folder = madeFolder();
    await insert(await opened(folder), 3);
    await closeAll();
    const path = join(folder, 'postgres/18/postmaster.pid');
    await writeFile(path, '', { mode: 0o600 });
    const { uid, gid } = statSync(dirname(path));
    await chown(path, uid, gid);
    expect(await rowsOf(await opened(folder))).toEqual([3]);
  });

  it('puts its socket elsewhere where the path of the folder is too long for one', async () => {
    const folder = join(newFolder(), 'a'.repeat(120));
    const serving = await opened(folder);
    await insert(serving, 1);
    const worker = databaseOn(folder);
    await worker.open('work');
    expect(await rowsOf(worker)).toEqual([1]);
    const { host } = JSON.parse(readFileSync(join(folder, 'postgres/address.json'), 'utf8')) as { host: string };
    expect(dirname(host)).toBe(tmpdir());
    expect(statSync(host).mode & 0o777).toBe(0o700);
    await closeAll();
    await opened(folder);
    expect(readFileSync(join(folder, 'postgres/address.json'), 'utf8')).toContain(host);
    await closeAll();
    await rm(host, { recursive: true });
  });
});

describe('what was answered', () => {
  it('is in the log and on the disk by then', async () => {
    const database = await opened(madeFolder());
    const flushes = async (): Promise<number> => {
      const [row] = await query<{ n: number }>(
        database.orm,
        sql`select sum(fsyncs)::int as n from pg_stat_io, pg_stat_force_next_flush() where object = 'wal'`,
      );
      return row!.n;
    };
    expect(await database.orm.execute(sql`show fsync`)).toMatchObject({ rows: [{ fsync: 'on' }] });
    expect(await database.orm.execute(sql`show synchronous_commit`)).toMatchObject({
      rows: [{ synchronous_commit: 'on' }],
    });
    const before = await flushes();
    for (let id = 1; id <= 30; id += 1) await insert(database, id);
    await expect.poll(flushes).toBeGreaterThanOrEqual(before + 30);
  });

  it(
    'is there whatever the disk had of what came after it',
    async () => {
      const folder = madeFolder();
      const image = join(root, 'image');
      const database = await opened(folder);
      await database.orm.execute(sql`checkpoint`);
      // What is on the disk for certain: the files as of the last checkpoint.
      expect(spawnSync('cp', ['-a', folder, image]).status).toBe(0);
      await rm(join(image, 'postgres/18/postmaster.pid'), { force: true });
      const ends: bigint[] = [];
      for (let id = 1; id <= 4; id += 1) {
        await insert(database, id);
        const [row] = await query<{ at: string }>(
          database.orm,
          sql`select (pg_current_wal_flush_lsn() - '0/0')::text as at`,
        );
        ends.push(BigInt(row!.at));
      }
      process.kill(serverOf(folder), 'SIGKILL');
      await closeAll();
      for (const [index, end] of ends.entries()) {
        // The log up to what was answered, and nothing or a torn piece of what came after.
        for (const torn of [0n, 13n]) {
          const cut = newFolder();
          expect(spawnSync('cp', ['-a', image, cut]).status).toBe(0);
          expect(spawnSync('cp', ['-a', join(folder, 'postgres/18/pg_wal'), join(cut, 'postgres/18/')]).status).toBe(0);
          await forgetLogAfter(join(cut, 'postgres/18/pg_wal'), end + torn);
          await rm(join(cut, 'database.lock'), { recursive: true, force: true });
          const recovered = await opened(cut);
          expect((await rowsOf(recovered)).slice(0, index + 1)).toEqual([1, 2, 3, 4].slice(0, index + 1));
          await closeAll();
        }
      }
    },
    slow,
  );

  it('survives the server, which is killed again and again and comes back by itself', async () => {
    const folder = madeFolder();
    const database = await opened(folder);
    const answered: number[] = [];
    const refused: unknown[] = [];
    let isWriting = true;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let id = 1 + writer; isWriting; id += 3) {
        await insert(database, id).then(
          () => answered.push(id),
          (error: unknown) => refused.push((error as { cause?: { code?: string } }).cause?.code),
        );
        if (refused.length > 0) await sleep(1);
      }
    });
    for (let kill = 0; kill < 3; kill += 1) {
      const seen = answered.length;
      await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(seen + 50);
      const pid = serverOf(folder);
      process.kill(pid, 'SIGKILL');
      await expect
        .poll(() => existsSync(join(folder, 'postgres/18/postmaster.pid')) && serverOf(folder), { timeout: 60_000 })
        .not.toBe(pid);
    }
    const seen = answered.length;
    await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(seen + 50);
    isWriting = false;
    await Promise.all(writers);
    expect(new Set(refused)).toEqual(new Set(['unavailable']));
    const rows = new Set(await rowsOf(database));
    expect(answered.filter((id) => !rows.has(id))).toEqual([]);
  });

  it('survives the process, whose server the next one takes over', async () => {
    const folder = madeFolder();
    const killed = startOwner(folder);
    await expect.poll(() => killed.rows().length, { timeout: 60_000 }).toBeGreaterThan(40);
    const answered = await killed.kill();
    const left = serverOf(folder);
    process.kill(left, 0);
    const next = await opened(folder);
    expect(serverOf(folder)).not.toBe(left);
    expect((await rowsOf(next)).slice(0, answered.length)).toEqual(answered);
    await closeAll();
    // After a power cut, the process number in the file may belong to another program.
    await writeFile(
      join(folder, 'postgres/18/postmaster.pid'),
      `${process.ppid}\n${folder}/postgres/18\n1\n5432\n${folder}/postgres/run\n\n\n`,
    );
    expect((await rowsOf(await opened(folder))).length).toBeGreaterThanOrEqual(answered.length);
  });
});

describe('beside the process that serves', () => {
  it('waits for it, shares the database, and hears of new rows', async () => {
    const folder = madeFolder();
    const worker = databaseOn(folder);
    const waiting = worker.open('work');
    const serving = await opened(folder);
    await waiting;
    await insert(worker, 3);
    expect(await rowsOf(serving)).toEqual([3]);
    const heard = new Promise<void>((resolve) => {
      let isListening = false;
      worker.bell.listen(() => (isListening ? resolve() : (isListening = true)));
    });
    const ringing = setInterval(() => void serving.bell.ring(), 100);
    await heard;
    clearInterval(ringing);
  });

  it('a command goes to the same server, or starts it where nobody serves', async () => {
    const folder = madeFolder();
    const alone = databaseOn(folder);
    await alone.open('visit');
    await insert(alone, 4);
    await closeAll();
    await opened(folder);
    const visitor = databaseOn(folder);
    await visitor.open('visit');
    expect(await rowsOf(visitor)).toEqual([4]);
  });
});

describe('a folder of PGlite', () => {
  async function pgliteFolder(rows: number): Promise<string> {
    const folder = newFolder();
    await mkdir(folder, { mode: 0o711 });
    await copyDatabase(join(folder, 'database'));
    const pglite = new EmbeddedDatabase(join(folder, 'database'));
    await pglite.open();
    await pglite.orm.execute(
      sql`insert into queued_tasks (job_id, enqueued_at, due_at) select id, now(), now() from generate_series(1, ${sql.raw(String(rows))}) id`,
    );
    await pglite.close();
    return folder;
  }
  const upTo = (rows: number) => Array.from({ length: rows }, (_, index) => index + 1);

  it(
    'is moved over once, counted, and kept; also after the move was broken off',
    async () => {
      const folder = await pgliteFolder(500);
      const killed = startOwner(folder);
      const begun = join(folder, 'postgres/run/.s.PGSQL.5433');
      await expect.poll(() => existsSync(begun), { interval: 1, timeout: 90_000 }).toBe(true);
      await killed.kill();
      expect(existsSync(join(folder, 'postgres/18'))).toBe(false);
      const told: unknown[] = [];
      const moved = databaseOn(folder, { ...silentLog, info: (message, fields) => told.push([message, fields]) });
      await moved.open();
      expect(await rowsOf(moved)).toEqual(upTo(500));
      expect(told).toContainEqual(['moved', { table: 'queued_tasks', rows: 500 }]);
      expect(await moved.orm.execute(sql`delete from queued_tasks where job_id > 1`)).toMatchObject({ rowCount: 499 });
      await closeAll();
      expect(await rowsOf(await opened(folder))).toEqual([1]);
      await closeAll();

      // Without the server’s folder, what PGlite has is old.
      await rename(join(folder, 'postgres'), join(folder, 'lost'));
      await expect(databaseOn(folder).open()).rejects.toThrow(
        /was moved from .*database to .*postgres, which has none/,
      );
      await closeAll();
      await rm(join(folder, 'database/svc-moved'));
      const back = await opened(folder);
      expect(await rowsOf(back)).toEqual(upTo(500));
    },
    slow,
  );

  it('without its mark is refused', async () => {
    const folder = await pgliteFolder(1);
    await rm(join(folder, 'database/svc-complete'));
    await expect(databaseOn(folder).open()).rejects.toThrow('but not svc-complete');
    expect(existsSync(join(folder, 'postgres/18'))).toBe(false);
  });
});

describe('a database of another version', () => {
  it('that is later is refused', async () => {
    const folder = madeFolder();
    await mkdir(join(folder, 'postgres/19'));
    await expect(databaseOn(folder).open()).rejects.toThrow('is a database of PostgreSQL 19');
    await closeAll();
    await rm(join(folder, 'postgres/19'), { recursive: true });
    const now = await opened(folder);
    await now.orm.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    );
    await closeAll();
    await expect(databaseOn(folder).open()).rejects.toThrow('has the schema of a later version');
  });

  describeWith('postgres', 'that is earlier', () => {
    it(
      'is moved to a new one by its own programs, and kept',
      async () => {
        const folder = madeFolder();
        await rm(join(folder, 'postgres/18'), { recursive: true });
        const bin = dirname(
          spawnSync('readlink', ['-f', process.env['POSTGRES_PATH'] ?? ''], { encoding: 'utf8' }).stdout.trim(),
        );
        const older = join(folder, 'postgres/15');
        await mkdir(older, { mode: 0o700 });
        const identity = isRoot ? { uid: nobody, gid: nobody } : {};
        if (isRoot) spawnSync('chown', [`${nobody}:${nobody}`, older]);
        const made15 = spawnSync(
          join(bin, 'initdb'),
          ['-D', older, '-U', 'svc', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
          { cwd: '/', ...identity },
        );
        expect(String(made15.stderr)).not.toContain('error');
        await expect(databaseOn(folder).open()).rejects.toThrow('whose programs are not in');
        await closeAll();
        expect(readdirSync(join(folder, 'postgres'))).not.toContain('18');

        await symlink(dirname(bin), join(folder, 'postgres/programs-15.0'));
        const moved = await opened(folder);
        expect(await moved.orm.execute(sql`show server_version_num`)).toMatchObject({
          rows: [{ server_version_num: expect.stringMatching(/^18/) as unknown }],
        });
        expect(readFileSync(join(older, 'PG_VERSION'), 'utf8')).toBe('15\n');
      },
      slow,
    );
  });
});

describe('where the programs cannot run', () => {
  it.runIf(isRoot)(
    'PGlite serves and says why, unless a server has had the database',
    async () => {
      const hidden = await mkdtemp(join(root, 'hidden-'));
      const folder = join(hidden, 'data');
      const warned: unknown[] = [];
      const database = databaseOn(folder, { ...silentLog, warn: (message, fields) => warned.push([message, fields]) });
      await database.open();
      await insert(database, 5);
      expect(warned).toEqual([
        [
          expect.stringContaining('is PGlite'),
          { reason: expect.stringContaining('nobody, as which PostgreSQL runs here, cannot reach') as unknown },
        ],
      ]);
      await expect(databaseOn(folder).open('work')).rejects.toThrow('A worker of its own needs DATABASE_URL here');
      await closeAll();

      const had = join(hidden, 'had');
      expect(spawnSync('cp', ['-a', made, had]).status).toBe(0);
      await expect(databaseOn(had).open()).rejects.toThrow(
        /has the database, and cannot be opened: the account nobody/,
      );
      await closeAll();
      // Within reach, what PGlite has is moved over.
      await chmod(hidden, 0o711);
      expect(await rowsOf(await opened(folder))).toEqual([5]);
    },
    slow,
  );

  it.runIf(isRoot)('another account needs no such help', async () => {
    const folder = newFolder();
    await mkdir(folder);
    spawnSync('chown', [`${nobody}:${nobody}`, folder]);
    const child = startOwner(folder, { uid: nobody, gid: nobody });
    await expect.poll(() => child.rows().length + child.said().length, { timeout: 90_000 }).toBeGreaterThan(0);
    expect(child.said()).toBe('');
    const answered = await child.kill();
    expect(answered.length).toBeGreaterThan(0);
    process.kill(serverOf(folder), 'SIGINT');
  });
});

/** Makes a log as a disk may have it that was cut off: zeros after an address. */
async function forgetLogAfter(folder: string, end: bigint): Promise<void> {
  const segment = 16n * 1_048_576n;
  for (const name of readdirSync(folder).filter((one) => /^[0-9A-F]{24}$/.test(one))) {
    const from = (BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`)) * segment;
    if (from + segment <= end) continue;
    const bytes = readFileSync(join(folder, name));
    bytes.fill(0, Number(end > from ? end - from : 0n));
    await writeFile(join(folder, name), bytes);
  }
}
