import { packed } from '@svc/adapters/postgres/packed-json.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { alertRules } from '@svc/adapters/postgres/schema/index.ts';
import type { TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { evaluateRules } from '@svc/application/alerts/evaluate-rules.ts';
import { storeIntel, type StoreIntelPorts } from '@svc/application/intel/store-intel.ts';
import { sql } from 'drizzle-orm';
import { writeFileSync } from 'node:fs';
import { quantile } from './http-client.ts';
import { largeIntel, many, peakMb, type Stored } from './intel-store.ts';

const [rules, largeMs, ordinaryMs, mostMb] = [200, 2000, 50, 300];
const [largeJobs, ordinaryJobs] = [3, 50];

/** Runs rules over jobs that name very much, and the shipped ones over what jobs name otherwise; each job once. */
export async function evaluateJobs(
  ports: StoreIntelPorts,
  database: TestDatabase,
  { cpuSeconds, seed }: { readonly cpuSeconds: () => Promise<number>; readonly seed: () => Promise<void> },
): Promise<Stored[]> {
  const db = database.orm;
  const unused = (limit: number) =>
    rowsOf<{ id: number; job: number }>(
      db,
      sql`select t.id, t.job_id as job from task_results t join jobs j on j.id = t.job_id
          where j.status = 'completed' and not exists (select from task_derivations d where d.job_id = j.id)
            and not exists (select from jobs_awaiting_rules a where a.job_id = j.id)
          order by t.job_id limit ${limit}`,
    );
  const timed = async (jobs: readonly number[]) => {
    const took: number[] = [];
    let [cpu, peak, found] = [0, 0, ''];
    for (const job of jobs) {
      await db.execute(sql`insert into jobs_awaiting_rules values (${job})`);
      writeFileSync('/proc/self/clear_refs', '5');
      const [seconds, before, from] = [await cpuSeconds(), peakMb(), performance.now()];
      const subject = { kind: 'job', id: job } as const;
      await ports.transaction((tx) =>
        evaluateRules(tx, { id: 1, kind: 'entities_stored', subject, by: null, at: new Date() }, ports),
      );
      took.push(performance.now() - from);
      cpu += (((await cpuSeconds()) - seconds) * 1000) / jobs.length;
      peak = Math.max(peak, peakMb() - before);
    }
    const [sum] = await rowsOf<{ alerts: number; tags: number }>(
      db,
      sql`select (select count(*) from entity_alerts)::integer as alerts, (select count(*) from entity_tags)::integer as tags`,
    );
    found = `${sum!.alerts} alerts and ${sum!.tags} tags in all; ${peak.toFixed(0)} MB more in memory ${peak <= mostMb ? '✓' : '✗'}`;
    return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), cpu, found };
  };
  // Those of a run before, where the database is kept.
  await db.execute(sql`delete from alert_rules where key is null`);
  await seed();
  const ordinary = (await unused(ordinaryJobs)).map(({ job }) => job);
  const shipped = await timed(ordinary);
  const shippedAgain = await timed(ordinary);
  await addRules(database);
  const large = await unused(largeJobs);
  for (const { id, job } of large) {
    const intel = await packed(await largeIntel(database, job));
    await db.execute(sql`
      insert into task_derivations (task_result_id, job_id, analytics, alerts, processes, intel)
      values (${id}, ${job}, '{}', '', '', decode(${Buffer.from(intel).toString('hex')}, 'hex'))`);
    await storeIntel(ports, job);
  }
  const all = await timed(large.map(({ job }) => job));
  const again = await timed(large.map(({ job }) => job));
  return [
    { name: 'the shipped rules over a job', longestMs: ordinaryMs, ...shipped },
    { name: 'the same when all is tagged', longestMs: ordinaryMs, ...shippedAgain },
    { name: `${rules} rules over a job of ${many} entities`, longestMs: largeMs, ...all },
    { name: 'the same when all is tagged', longestMs: largeMs, ...again },
  ];
}

/** As many as run over a job, on few and on all types, of every kind of term. */
async function addRules({ orm }: TestDatabase): Promise<void> {
  const count = await orm.$count(alertRules, sql`scope = 'entity'`);
  const [owner] = await rowsOf<{ id: string }>(
    orm,
    sql`update accounts set role = 'member', is_active = true where id = (select min(id::text)::uuid from accounts) returning id::text as id`,
  );
  const at = new Date('2026-08-01T00:00:00Z');
  const made = Array.from({ length: rules - count }, (_, nth) => {
    const [query, type] = kinds[nth % kinds.length]!;
    return {
      ownerId: owner!.id,
      name: `rule ${nth}`,
      description: '',
      scope: 'entity' as const,
      query: query(nth),
      entityTypes: type === null ? [] : [type],
      actionTags: nth % 4 === 0 ? [{ name: `given-${nth}`, color: 'red' }] : [],
      notifies: nth % 2 === 0,
      webhookMethod: 'POST' as const,
      webhookHeaders: {},
      webhookEnabled: false,
      tellsOfWatchedJobs: false,
      enabled: true,
      createdAt: at,
      updatedAt: at,
    };
  });
  await orm.insert(alertRules).values(made);
}

const kinds = [
  [(n: number) => `evil${n}`, null],
  [(n: number) => `*.mail${n}.example$`, 'domain'],
  [(n: number) => `re:/^report-[0-9a-f]${n % 10}/`, 'cmdline_file'],
  [(n: number) => `cidr:9.${n}.0.0/16,10.${n}.0.0/16`, 'ip_address'],
  [(n: number) => `in:(admin${n},setup${n}.exe,ws-${n})`, null],
  [(n: number) => `re:/[0-9]${n % 10}f$/`, 'hash'],
  [(n: number) => `admin${n} OR setup${n} OR "svc-${n}"`, null],
  [(n: number) => `attr:dga -mail${n}`, 'domain'],
  [(n: number) => `is:watched jobs:>${n}`, null],
  [(n: number) => `report- jobs:1 first:<${n + 1}d`, 'cmdline_file'],
] as const;
