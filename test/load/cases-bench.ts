// How long pages of the list of cases take on a PostgreSQL server.   [--cases N] [--jobs N] [--runs N]
import { ShippedFiles } from '@svc/adapters/local/shipped-content.ts';
import { postgresPorts } from '@svc/adapters/postgres/ports.ts';
import { openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { findCases } from '@svc/application/cases/find-cases.ts';
import { caseSorts } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { quantile } from './http-client.ts';
import { fillJobs, firstAccount } from './jobs-data.ts';
import { backendSeconds, ownSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '50000' },
    jobs: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '40' },
  },
});
const [caseCount, jobCount, runs] = [values.cases, values.jobs, values.runs].map(Number) as [number, number, number];
const now = new Date('2026-08-01T00:00:00Z');
/** What a page may take, in milliseconds at the 95th percentile. */
const longestMs = 50;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const server = await startPostgres(['-c', 'jit=off', '-c', 'max_parallel_workers_per_gather=0']);
try {
  const database = await openServerDatabase(server.url);
  const db = database.orm;
  const ports = postgresPorts(database, { leaseSeconds: 60 });
  await ports.workflows.seed((await new ShippedFiles(join(process.cwd(), 'config')).workflows()).workflows);
  await fillJobs(db, jobCount, { most: jobCount, now });
  // A third shared; each has up to nine jobs, most of them few; one in ten is of the viewer.
  await db.execute(sql`insert into cases (name, status, owner_id, is_shared, created_at, updated_at)
    select concat((array['Phish wave', 'Ransom note', 'Odd logon', 'Beacon on'])[1 + n % 4], ' ', md5(n::text)),
      (array['open', 'open', 'monitoring', 'closed'])[1 + n % 4],
      case when n % 10 = 0 then ${await firstAccount(db)}::uuid else (select id from accounts offset 1 limit 1) end, n % 3 = 0,
      ${now.toISOString()}::timestamptz - n * interval '7 minutes', ${now.toISOString()}::timestamptz - n * interval '5 minutes'
    from generate_series(1, ${caseCount}) as n`);
  await db.execute(sql`insert into case_jobs (case_id, job_id, added_at)
    select distinct cases.id, 1 + (hashint4(cases.id * 31 + n) & 2147483647) % ${jobCount}, cases.updated_at
    from cases cross join lateral generate_series(1, cases.id % 10) as n
    where exists (select from jobs where jobs.id = 1 + (hashint4(cases.id * 31 + n) & 2147483647) % ${jobCount})`);
  for (let first = 1; first <= caseCount; first += 1000) {
    const ids = Array.from({ length: Math.min(1000, caseCount - first + 1) }, (_, nth) => first + nth);
    await ports.transaction((tx) => tx.cases.recount(ids));
  }
  await db.execute(sql`vacuum analyze`);
  const userId = await firstAccount(db);
  const as = (role: 'member' | 'admin'): Actor => ({ kind: 'account', userId, email: 'x', role, ip: '' });
  const cpuSeconds = async (): Promise<number> => ownSeconds() + (await backendSeconds(database));
  let isSlow = false;
  for (const [who, viewer] of Object.entries({ member: as('member'), admin: as('admin') })) {
    for (const sort of caseSorts) {
      for (const q of ['', 'beacon', 'zzz']) {
        const first = await findCases(ports, viewer, { status: 'all', q, sort, page: 1 });
        const places = [
          { page: 1 },
          { page: 200 },
          ...(first.older === null ? [] : [{ page: 2, cursor: first.older }]),
        ];
        for (const place of places) {
          const took: number[] = [];
          let cpu = 0;
          for (let run = -3; run < runs; run += 1) {
            if (run === 0) cpu = await cpuSeconds();
            const from = performance.now();
            await findCases(ports, viewer, { status: 'all', q, sort, ...place });
            if (run >= 0) took.push(performance.now() - from);
          }
          cpu = (((await cpuSeconds()) - cpu) * 1000) / runs;
          const [p50, p95] = [quantile(took, 0.5), quantile(took, 0.95)];
          isSlow ||= p95 > longestMs;
          const where = 'cursor' in place ? 'by cursor' : `page ${place.page}`;
          print(
            [
              who.padEnd(7),
              `by ${sort}`.padEnd(12),
              (q || 'all').padEnd(7),
              where.padEnd(10),
              String(first.total).padStart(7),
            ]
              .concat([p50, p95, cpu].map((ms) => ms.toFixed(1).padStart(8)))
              .concat(p95 > longestMs ? '✗' : '✓')
              .join('  '),
          );
        }
      }
    }
  }
  await database.close();
  process.exitCode = isSlow ? 1 : 0;
} finally {
  await server.remove();
}
