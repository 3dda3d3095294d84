// Findings in one table against findings in a table of each month: what is written, read and removed, on a PostgreSQL
// server with generated rows.   [--months N] [--jobs N a month] [--findings N a job]
import { openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { Client } from 'pg';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { processorSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: {
    months: { type: 'string', default: '12' },
    jobs: { type: 'string', default: '100000' },
    findings: { type: 'string', default: '4' },
    runs: { type: 'string', default: '400' },
  },
});
const [months, jobsOfMonth, perJob, runs] = [values.months, values.jobs, values.findings, values.runs].map(Number) as [
  number,
  number,
  number,
  number,
];
const jobs = months * jobsOfMonth;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Jobs that one statement removes. */
const batch = 200;
const warmUps = 20;

const server = await startPostgres(['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=2GB', '-c', 'autovacuum=off']);
const db = new Client(server.url);
let pid = 0;

async function one<T>(statement: string, parameters: unknown[] = []): Promise<T> {
  return (await db.query(statement, parameters)).rows[0] as T;
}

async function wal(): Promise<number> {
  return Number((await one<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)).bytes);
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; walMb: number; result: T }> {
  await db.query('checkpoint');
  const [from, written] = [performance.now(), await wal()];
  const result = await work();
  return { ms: performance.now() - from, walMb: ((await wal()) - written) / 1e6, result };
}

/** `plain` has the columns and indexes of the findings; `parted` those and the month, in a table of each month. */
async function makeTables(): Promise<void> {
  await db.query(`create table bench_jobs (id integer primary key, month date not null)`);
  await db.query(`insert into bench_jobs select n, date '2025-01-01' + make_interval(months => (n - 1) / ${jobsOfMonth})
    from generate_series(1, ${jobs}) as n`);
  await db.query(`create table plain (like findings including all)`);
  await db.query(`alter table plain add foreign key (job_id) references bench_jobs on delete cascade`);
  await db.query(`create table parted (like findings including defaults including generated including identity,
    month date not null, primary key (id, month), foreign key (job_id) references bench_jobs on delete cascade) partition by range (month)`);
  const indexes = await db.query(
    `select indexdef from pg_indexes where tablename = 'findings' and indexdef not like '%UNIQUE%'`,
  );
  for (const { indexdef } of indexes.rows as { indexdef: string }[]) {
    await db.query(indexdef.replace(/INDEX \w+ ON public\.findings/, 'INDEX ON parted'));
  }
  for (let month = 0; month < months; month += 1) {
    await db.query(`create table parted_${month} partition of parted for values
      from (${monthOf(month)}) to (${monthOf(month + 1)})`);
  }
}

function monthOf(month: number): string {
  return `'${new Date(Date.UTC(2025, month)).toISOString().slice(0, 10)}'`;
}

const columns = `task_result_id, job_id, rule_id, rule_name, rule_author, severity, severity_rank, count, tags, first_seen,
  last_seen, hosts, events_kept, events_at, events_bytes, rule_signature, rule_source_id`;
/** Findings of these jobs, of 400 rules. */
const made = (from: string): string => `
  select job.id, job.id, md5((h % 400)::text), concat('A rule of some forty letters, number ', h % 400), 'An Author, Another One', 'high', 1,
    1 + h % 50, '["attack.execution", "attack.t1059.001", "attack.persistence"]', '2026-08-01T10:15:00.5Z', '2026-08-01T10:15:00.75Z',
    '["ws1.example.org"]', 10, nth * 2000, 2000, concat(md5((h % 400)::text), '|high'), 1 + h % 400
  ${from} cross join generate_series(1, ${perJob}) as nth cross join lateral (select abs(hashint4(job.id * 31 + nth)) as h) as hashed`;

const layouts = [
  { name: 'plain', insert: (from: string) => `insert into plain (${columns}) ${made(from)}` },
  {
    name: 'parted',
    insert: (from: string) =>
      `insert into parted (${columns}, month) ${made(from).replace('1 + h % 400\n', '1 + h % 400, job.month\n')}`,
  },
];

/** Processor time of the server for a statement, since other work on the machine makes the rest vary. */
async function costOf(name: string, ask: (run: number) => Promise<unknown>): Promise<string> {
  for (let run = 0; run < warmUps; run += 1) await ask(run);
  const before = processorSeconds(pid);
  for (let run = 0; run < runs; run += 1) await ask(run + warmUps);
  return `${name} ${(((processorSeconds(pid) - before) * 1000) / runs).toFixed(2)} ms`;
}

try {
  await (await openServerDatabase(server.url)).close();
  await db.connect();
  ({ pid } = await one<{ pid: number }>('select pg_backend_pid() as pid'));
  await makeTables();
  print(`${months} months of ${jobsOfMonth} jobs with ${perJob} findings each`);
  for (const { name, insert } of layouts) {
    print(`\n${name}`);
    const filled = await timed(() => db.query(insert(`from bench_jobs as job`)));
    await db.query(`vacuum analyze ${name}`);
    const { bytes } = await one<{ bytes: string }>(
      `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r' and relname like '${name}%'`,
    );
    print(
      `  filled in ${(filled.ms / 1000).toFixed(1)} s, ${filled.walMb.toFixed(0)} MB of log, ${(Number(bytes) / 1e6).toFixed(0)} MB in all`,
    );
    const jobOf = (run: number): number => 1 + ((run * 7919) % jobs);
    print(
      `  ${await costOf('findings of a job written', (run) => db.query(insert(`from (select * from bench_jobs where id = $1) as job`), [jobOf(run)]))}`,
    );
    print(
      `  ${await costOf('a finding by its number  ', (run) => db.query(`select * from ${name} where id = $1`, [jobOf(run) * perJob]))}`,
    );
    print(
      `  ${await costOf('findings of a job        ', (run) => db.query(`select * from ${name} where job_id = $1 order by severity_rank, count desc`, [jobOf(run)]))}`,
    );
    if (name === 'parted') {
      print(
        `  ${await costOf('  … whose month is known ', (run) => {
          const month = new Date(Date.UTC(2025, Math.floor((jobOf(run) - 1) / jobsOfMonth)));
          return db.query(`select * from ${name} where job_id = $1 and month = $2 order by severity_rank, count desc`, [
            jobOf(run),
            month.toISOString().slice(0, 10),
          ]);
        })}`,
      );
    }
    print(
      `  ${await costOf('where a rule fired       ', (run) => db.query(`select job_id, count from ${name} where rule_id = md5($1) order by job_id desc limit 200`, [String(run % 400)]))}`,
    );
    print(
      `  ${await costOf('jobs with the same       ', (run) => db.query(`select distinct on (job_id) job_id, count from ${name} where rule_signature = concat(md5($1), '|high') order by job_id desc, count desc limit 50`, [String(run % 400)]))}`,
    );
    print(
      `  ${await costOf('that of one other job gone', (run) => db.query(`delete from ${name} where job_id = $1`, [jobOf(run + 1_000_003)]))}`,
    );
  }
  print('\nThe oldest month removed');
  const byJob = await timed(async () => {
    for (let first = 1; first <= jobsOfMonth; first += batch) {
      await db.query(`delete from plain where job_id between $1 and $2`, [first, first + batch - 1]);
    }
  });
  const vacuumed = await timed(() => db.query('vacuum plain'));
  print(
    `  plain: deleted in ${(byJob.ms / 1000).toFixed(1)} s, ${byJob.walMb.toFixed(0)} MB of log; vacuum ${(vacuumed.ms / 1000).toFixed(1)} s, ${vacuumed.walMb.toFixed(0)} MB`,
  );
  const dropped = await timed(async () => {
    await db.query('alter table parted detach partition parted_0');
    await db.query('drop table parted_0');
  });
  print(`  parted: detached and dropped in ${(dropped.ms / 1000).toFixed(2)} s, ${dropped.walMb.toFixed(1)} MB of log`);
} finally {
  await db.end();
  await server.remove();
}
