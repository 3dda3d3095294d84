// How long pages of the jobs list take, as more jobs are there: plain, deep and filtered, for each kind of viewer.
//   [--jobs N]… [--runs N] [--match TEXT] [--only pglite|postgres] [--url URL] [--folder PATH]
//   With a text, kinds of page whose name has it. With a URL, the database of a server is filled up and kept, and
//   with a folder, that of PGlite in it.
import { EmbeddedDatabase } from '@svc/adapters/postgres/database.ts';
import { postgresPorts } from '@svc/adapters/postgres/ports.ts';
import { openServerDatabase, type TestDatabase } from '@svc/adapters/testing/test-database.ts';
import type { JobSort } from '@svc/contracts';
import { ShippedFiles } from '@svc/adapters/local/shipped-content.ts';
import { listJobs } from '@svc/application/jobs/list-jobs.ts';
import type { Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { quantile } from './http-client.ts';
import { fillJobs, firstAccount } from './jobs-data.ts';
import { backendSeconds, ownSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', multiple: true, default: ['10000', '100000'] },
    runs: { type: 'string', default: '40' },
    only: { type: 'string' },
    match: { type: 'string', default: '' },
    url: { type: 'string' },
    folder: { type: 'string' },
  },
});
const counts = values.jobs.map(Number).sort((a, b) => a - b);
const runs = Number(values.runs);
const now = new Date('2026-08-01T00:00:00Z');
/** What a page may take, in milliseconds at the 95th percentile. */
const longestMs = 50;
/** Pages deep in the list: halfway in time, and the last. */
const halfway = `older-${now.getTime() - 5 * 365 * 86_400_000}-1`;
const oldest = 'newer-0-0';
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const queries = [
  '',
  'srv0007',
  'security',
  'srv00*.evtx',
  '-audit',
  'status:failed',
  'status:completed',
  'type:auditd',
  'workflow:windows',
  'sev:critical',
  'sev:medium,high',
  'tool:sigma',
  'findings:>900',
  'findings:>100',
  'after:30d',
  'before:52w',
  'id:5000',
  'sha256:ab',
  'is:private',
  'is:mine',
  'is:clean',
  'is:error',
  'is:running',
  'tag:tag7',
  '-tag:tag7,tag8',
  '-status:completed',
  '-type:evtx',
  'is:clean sev:high',
  'is:private status:failed',
  'type:csv',
  'zzz',
  'findings:5..9',
  'security status:completed sev:high after:52w -tag:tag7',
  'host:srv0007',
  'user:user77,user78',
  'ip:10.7.1.5',
  `hash:${'0'.repeat(32)}`,
  'rule:rule7',
  'program:powershell',
  '-host:srv0007',
  'technique:T1003 host:srv0007',
  'host:srv0007 OR user:user77',
  'rule:rule7 OR security',
  'system type:evtx workflow:windows sev:medium -status:failed',
];

/** Asked for deep pages too: frequent ones, and a rare one. */
const deepQueries = ['security', 'is:clean', '-audit sev:high', 'tag:tag7'];

/** Where in the list, the first page otherwise. */
type Place = ({ readonly page?: number } | { readonly cursor?: string }) & { readonly sort?: JobSort };

interface Figures {
  readonly name: string;
  /** Processor time of a page in milliseconds, the database's included. */
  readonly cpu: number;
  readonly p50: number;
  readonly p95: number;
  readonly total: number;
}

async function measure(database: TestDatabase, cpuSeconds: () => Promise<number>): Promise<Figures[]> {
  const ports = { ...postgresPorts(database, { leaseSeconds: 60 }), clock: { now: () => now } };
  const userId = await firstAccount(database.orm);
  const signedIn = (role: 'member' | 'admin'): Actor => ({ kind: 'account', userId, email: 'x', role, ip: '' });
  const viewers = { anonymous: { kind: 'anonymous', ip: '' }, member: signedIn('member'), admin: signedIn('admin') };
  const figures: Figures[] = [];
  const time = async (name: string, viewer: Actor, q: string, place: Place = {}): Promise<void> => {
    if (!name.includes(values.match)) return;
    const took: number[] = [];
    let total = 0;
    let cpu = 0;
    for (let run = -5; run < runs; run += 1) {
      if (run === 0) cpu = await cpuSeconds();
      const from = performance.now();
      total = (await listJobs(ports, viewer, { q, tags: [], page: 1, per: 50, ...place })).total;
      if (run >= 0) took.push(performance.now() - from);
    }
    cpu = (((await cpuSeconds()) - cpu) * 1000) / runs;
    figures.push({ name, cpu, p50: quantile(took, 0.5), p95: quantile(took, 0.95), total });
  };
  for (const [who, viewer] of Object.entries(viewers) as [string, Actor][]) {
    await time(`${who}, first page`, viewer, '');
    await time(`${who}, page 200`, viewer, '', { page: 200 });
    await time(`${who}, page in the middle`, viewer, '', { cursor: halfway });
    await time(`${who}, last page`, viewer, '', { cursor: oldest });
  }
  for (const q of queries.slice(1)) await time(q, viewers.member, q);
  for (const q of deepQueries) {
    await time(`${q}, page 200`, viewers.member, q, { page: 200 });
    await time(`${q}, page in the middle`, viewers.member, q, { cursor: halfway });
    await time(`${q}, last page`, viewers.member, q, { cursor: oldest });
  }
  for (const sort of ['matches', 'severity'] as const) {
    await time(`by ${sort}, first page`, viewers.member, '', { sort });
    await time(`by ${sort}, page 200`, viewers.member, '', { sort, page: 200 });
    await time(`by ${sort}, last page`, viewers.member, '', { sort, cursor: oldest });
    for (const q of deepQueries) await time(`${q}, by ${sort}`, viewers.member, q, { sort });
  }
  return figures;
}

interface Server {
  readonly settle: () => Promise<void>;
  /** Processor time of this process and the database so far. */
  readonly cpuSeconds: () => Promise<number>;
}

/** Fills the database to each count in turn, and says how the pages take it. */
async function bench(name: string, database: TestDatabase, server: Server): Promise<boolean> {
  const { workflows } = postgresPorts(database, { leaseSeconds: 60 });
  await workflows.seed((await new ShippedFiles(join(process.cwd(), 'config')).workflows()).workflows);
  const rounds: Figures[][] = [];
  for (const count of counts) {
    if (await fillJobs(database.orm, count, { most: counts.at(-1) ?? count, now })) await server.settle();
    rounds.push(await measure(database, server.cpuSeconds));
  }
  const [first, last] = [rounds[0] ?? [], rounds.at(-1) ?? []];
  print(
    `\n${name}: milliseconds with ${counts.join(' and ')} jobs, ${runs} runs each (p50 p95 processor; jobs found last)`,
  );
  let isWell = true;
  for (const [index, end] of last.entries()) {
    const cells = rounds
      .map((round) => `${shown(round[index]?.p50)} ${shown(round[index]?.p95)} ${shown(round[index]?.cpu)}`)
      .join('   ');
    // Of processor time, since other work on the machine makes the rest vary.
    const growth = end.cpu / (first[index]?.cpu ?? end.cpu);
    const isGood = end.p95 <= longestMs;
    isWell &&= isGood;
    const mark = isGood ? '✓' : '✗';
    print(`  ${end.name.padEnd(56)} ${cells}   ×${growth.toFixed(2)} ${mark}  ${end.total}`);
  }
  return isWell;
}

function shown(ms = 0): string {
  return ms.toFixed(1).padStart(6);
}

async function benchServer(url: string): Promise<boolean> {
  const database = await openServerDatabase(url);
  try {
    return await bench('PostgreSQL', database, {
      // A server does this by itself, in its own time.
      settle: async () => void (await database.orm.execute(sql`vacuum analyze`)),
      cpuSeconds: async () => ownSeconds() + (await backendSeconds(database)),
    });
  } finally {
    await database.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-jobs-'));
let isWell = true;
try {
  if (values.url !== undefined) isWell = await benchServer(values.url);
  if (values.url === undefined && values.only !== 'postgres') {
    const embedded = new EmbeddedDatabase(values.folder ?? join(folder, 'database'));
    await embedded.open();
    const server = {
      // As each start does.
      settle: async () => void (await embedded.orm.execute(sql`analyze`)),
      cpuSeconds: async () => ownSeconds(),
    };
    isWell = await bench('PGlite', embedded, server);
    await embedded.close();
  }
  if (values.url === undefined && values.folder === undefined && values.only !== 'pglite') {
    // As the product starts its own; what workers of a query take would not be counted.
    const server = await startPostgres(['-c', 'jit=off', '-c', 'max_parallel_workers_per_gather=0']);
    isWell = (await benchServer(server.url)) && isWell;
    await server.remove();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(isWell ? 0 : 1);
