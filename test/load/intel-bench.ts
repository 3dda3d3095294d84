// How long searches for entities, their pages and storing those of a job take, as more entities are there, and with a
// tenth of them.   [--entities N] [--runs N] [--only pglite|postgres] [--part NAME]… [--in FOLDER] [--whole]
import { readDeriveConfig } from '@svc/adapters/local/derive-config.ts';
import { ShippedFiles } from '@svc/adapters/local/shipped-content.ts';
import { EmbeddedDatabase } from '@svc/adapters/postgres/database.ts';
import { postgresPorts } from '@svc/adapters/postgres/ports.ts';
import { openServerDatabase, type TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { shippedDeriveFiles } from '@svc/adapters/testing/heuristics.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { sql } from 'drizzle-orm';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { quantile } from './http-client.ts';
import { fillIntel, type IntelSize } from './intel-data.ts';
import type { Measured } from './intel-part.ts';
import { intelParts } from './intel-parts.ts';
import { evaluateJobs } from './intel-rules.ts';
import { storeLargeJob } from './intel-store.ts';
import { firstAccount } from './jobs-data.ts';
import { backendSeconds, ownSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '20' },
    only: { type: 'string' },
    part: { type: 'string', multiple: true },
    // Where databases stay, for another run to begin with what this one has made.
    in: { type: 'string' },
    // Without a tenth of them.
    whole: { type: 'boolean', default: false },
  },
});
const most = Number(values.entities);
const runs = Number(values.runs);
const now = new Date('2026-08-01T00:00:00Z');
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const isAsked = (part: string): boolean => values.part === undefined || values.part.includes(part);

/** As many of all else for each entity as the largest instance has. */
function sizeOf(entities: number): IntelSize {
  return { entities, jobs: Math.round(entities / 100), links: entities * 10, relationships: Math.round(entities / 2) };
}

interface Figures extends Omit<Measured, 'run'> {
  readonly p50: number;
  readonly p95: number;
  /** Processor time in milliseconds, the database's included. */
  readonly cpu: number;
  /** What the answer says of how much there is. */
  readonly found: number | string;
}

interface Server {
  readonly settle: () => Promise<void>;
  /** Processor time of this process and the database so far. */
  readonly cpuSeconds: () => Promise<number>;
}

async function timed({ run, ...measured }: Measured, { cpuSeconds }: Server): Promise<Figures> {
  const took: number[] = [];
  let found: number | string = 0;
  let cpu = 0;
  for (let nth = -2; nth < runs; nth += 1) {
    if (nth === 0) cpu = await cpuSeconds();
    const from = performance.now();
    found = await run();
    if (nth >= 0) took.push(performance.now() - from);
  }
  cpu = (((await cpuSeconds()) - cpu) * 1000) / runs;
  return { ...measured, p50: quantile(took, 0.5), p95: quantile(took, 0.95), cpu, found };
}

async function measure(database: TestDatabase, server: Server): Promise<Figures[]> {
  const ports = {
    ...postgresPorts(database, { leaseSeconds: 60 }),
    clock: { now: () => now },
    log: silentLog,
    reportConfig: { current: () => readDeriveConfig(shippedDeriveFiles) },
  };
  const viewer = {
    kind: 'account',
    userId: await firstAccount(database.orm),
    email: 'x',
    role: 'member',
    ip: '',
  } as const;
  const figures: Figures[] = [];
  for (const [name, part] of Object.entries(intelParts)) {
    if (!isAsked(name)) continue;
    for (const measured of await part(ports, viewer, database.orm)) figures.push(await timed(measured, server));
  }
  if (isAsked('store')) {
    for (const stored of await storeLargeJob(ports, database, server.cpuSeconds)) figures.push(stored);
  }
  if (isAsked('rules')) {
    const shipped = await new ShippedFiles(join(process.cwd(), 'config')).alertRules();
    const seed = () => ports.shippedRules.seed(shipped, now);
    for (const ran of await evaluateJobs(ports, database, { ...server, seed })) figures.push(ran);
  }
  return figures;
}

/** Fills a database of each size, and says how long all takes with it. */
async function bench(
  name: string,
  opened: (place: string) => Promise<readonly [TestDatabase, Server, () => Promise<void>]>,
): Promise<boolean> {
  const rounds: Figures[][] = [];
  for (const entities of values.whole ? [most] : [Math.round(most / 10), most]) {
    const { place, filled } = await placeFor(`${name}-${entities}`);
    const [database, server, close] = await opened(place);
    try {
      if (!existsSync(filled)) {
        const { workflows } = postgresPorts(database, { leaseSeconds: 60 });
        await workflows.seed((await new ShippedFiles(join(process.cwd(), 'config')).workflows()).workflows);
        const from = performance.now();
        await fillIntel(database.orm, sizeOf(entities), now);
        await server.settle();
        await writeFile(filled, '');
        print(`${name}: ${entities} entities made in ${((performance.now() - from) / 1000).toFixed(0)} s`);
      }
      rounds.push(await measure(database, server));
    } finally {
      await close();
      if (values.in === undefined) await rm(place, { recursive: true, force: true });
    }
  }
  const [whole = [], tenth = []] = rounds.toReversed();
  print(
    `\n${name}: milliseconds with ${values.whole ? '' : `${most / 10} and `}${most} entities, ${runs} runs each (p50 p95 processor, growth of processor time)`,
  );
  let isWell = true;
  for (const [index, end] of whole.entries()) {
    const { name: what, longestMs } = end;
    const isGood = end.p95 <= longestMs;
    isWell &&= isGood;
    const small = tenth[index];
    const before = small === undefined ? '' : `${shown(small)}   `;
    const growth = small === undefined ? '' : `×${(end.cpu / small.cpu).toFixed(2)} `;
    print(`  ${what.padEnd(44)} ${before}${shown(end)}   ${growth}${isGood ? '✓' : '✗'} of ${longestMs}  ${end.found}`);
  }
  return isWell;
}

function shown({ p50, p95, cpu }: Figures): string {
  return [p50, p95, cpu].map((ms) => ms.toFixed(1).padStart(7)).join(' ');
}

/** A folder for a database; what a run has left that ended before all was made goes. */
async function placeFor(name: string): Promise<{ place: string; filled: string }> {
  const within = join(folder, name);
  const filled = join(within, 'filled');
  if (!existsSync(filled)) await rm(within, { recursive: true, force: true });
  await mkdir(within, { recursive: true });
  return { place: join(within, 'database'), filled };
}

const folder = values.in === undefined ? await mkdtemp(join(tmpdir(), 'svc-bench-intel-')) : resolve(values.in);
let isWell = true;
try {
  if (values.only !== 'postgres') {
    isWell = await bench('PGlite', async (place) => {
      const embedded = new EmbeddedDatabase(place);
      await embedded.open();
      // As each start does.
      const settle = async () => void (await embedded.orm.execute(sql`vacuum analyze`));
      return [embedded, { settle, cpuSeconds: async () => ownSeconds() }, () => embedded.close()];
    });
  }
  if (values.only !== 'pglite') {
    const isServerWell = await bench('PostgreSQL', async (place) => {
      // As installations are told to.
      const server = await startPostgres(['-c', 'jit=off', '-c', 'work_mem=16MB'], place);
      const database = await openServerDatabase(server.url);
      // A server does this by itself, in its own time.
      const settle = async () => void (await database.orm.execute(sql`vacuum analyze`));
      const cpuSeconds = async () => ownSeconds() + (await backendSeconds(database));
      const close = async () => {
        await database.close();
        await server.remove();
      };
      return [database, { settle, cpuSeconds }, close];
    });
    isWell &&= isServerWell;
  }
} finally {
  if (values.in === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit(isWell ? 0 : 1);
