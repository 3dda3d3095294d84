import { packed } from '@svc/adapters/postgres/packed-json.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import type { TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { storeIntel, type StoreIntelPorts } from '@svc/application/intel/store-intel.ts';
import type { TaskIntel } from '@svc/application/intel/task-intel.ts';
import type { EntityType } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { quantile } from './http-client.ts';

/** Entities of the job, of which half are known; and how they are related. */
export const many = 50_000;
const related = 10_000;
const jobs = 3;
const [longestMs, mostMb] = [10_000, 1024];

export interface Stored {
  readonly name: string;
  readonly longestMs: number;
  readonly p50: number;
  readonly p95: number;
  readonly cpu: number;
  readonly found: string;
}

/** Stores the intel of jobs that name very much, one after the other. */
export async function storeLargeJob(
  ports: StoreIntelPorts,
  database: TestDatabase,
  cpuSeconds: () => Promise<number>,
): Promise<Stored[]> {
  const db = database.orm;
  const tasks = await rowsOf<{ id: number; job: number }>(
    db,
    sql`select t.id, t.job_id as job from task_results t join jobs j on j.id = t.job_id
        where j.status = 'completed' and not exists (select from task_derivations d where d.job_id = j.id)
        order by t.job_id desc limit ${jobs}`,
  );
  const took: number[] = [];
  let [cpu, logged, peak] = [0, 0, 0];
  for (const { id, job } of tasks) {
    const intel = await packed(await largeIntel(database, job));
    await db.execute(sql`
      insert into task_derivations (task_result_id, job_id, analytics, alerts, processes, intel)
      values (${id}, ${job}, '{}', '', '', decode(${Buffer.from(intel).toString('hex')}, 'hex'))`);
    const [wal, seconds] = [await walOf(database), await cpuSeconds()];
    // What this process has had at most until now is forgotten.
    writeFileSync('/proc/self/clear_refs', '5');
    const from = performance.now();
    await storeIntel(ports, job);
    took.push(performance.now() - from);
    cpu += (((await cpuSeconds()) - seconds) * 1000) / tasks.length;
    logged += ((await walOf(database)) - wal) / tasks.length;
    peak = Math.max(peak, peakMb());
  }
  const times = { p50: quantile(took, 0.5), p95: quantile(took, 0.95), cpu };
  const found = `${(logged / 1e6).toFixed(0)} MB of write-ahead log each; at most ${peak.toFixed(0)} MB in memory ${peak <= mostMb ? '✓' : '✗'}`;
  return [{ name: `storing a job of ${many} entities`, longestMs, ...times, found }];
}

/** Half of it known, and no other half as that of another job. */
export async function largeIntel({ orm }: TestDatabase, job: number): Promise<TaskIntel> {
  const known = await rowsOf<{ type: EntityType; value: string }>(
    orm,
    sql`select type, value from entities order by hashint4(id + ${job}::int) limit ${many / 2}`,
  );
  const made = Array.from({ length: many - known.length }, (_, place) => madeEntity(job, place));
  const entities = [...known, ...made].map(({ type, value }, place) => ({ type, value, count: 1 + (place % 50) }));
  const relationships = Array.from({ length: related }, (_, place) => ({
    type: 'runs_on' as const,
    source: (place * 7) % many,
    target: (place * 13 + 1) % many,
    count: 3,
    failed: 0,
    observedFrom: Date.parse('2026-07-30T08:01:11Z'),
    observedTo: Date.parse('2026-07-30T09:01:11Z'),
    samples: [{ UtcTime: '2026-07-30 08:01:11', EventID: 1, Computer: 'ws-1', Image: `C:\\Windows\\${place}.exe` }],
  }));
  return { entities, findings: [], relationships, isTruncated: false };
}

function madeEntity(job: number, place: number): { readonly type: EntityType; readonly value: string } {
  const hash = createHash('sha256').update(`${job} ${place}`).digest('hex');
  if (place % 10 < 5) return { type: 'hash', value: hash.toUpperCase() };
  if (place % 10 < 7) return { type: 'domain', value: `${hash.slice(0, 9)}.mail${place % 1000}.example` };
  if (place % 10 < 9)
    return { type: 'ip_address', value: `9${job % 10}.${place % 200}.${(place >> 8) % 250}.${place % 250}` };
  return { type: 'cmdline_file', value: `report-${hash.slice(0, 8)}.ps1` };
}

async function walOf({ orm }: TestDatabase): Promise<number> {
  const [row] = await rowsOf<{ bytes: number }>(
    orm,
    sql`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  );
  return row!.bytes;
}

export function peakMb(): number {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) / 1024;
}
