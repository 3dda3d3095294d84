import { PgCaseTimelines } from '@svc/adapters/postgres/cases/case-timelines.ts';
import type { Database } from '@svc/adapters/postgres/database.ts';
import { packed } from '@svc/adapters/postgres/packed-json.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { getCaseActors } from '@svc/application/cases/get-case-actors.ts';
import { getCaseEvents } from '@svc/application/cases/get-case-events.ts';
import { getCaseTimeline } from '@svc/application/cases/get-case-timeline.ts';
import { listCaseFindings } from '@svc/application/cases/list-case-findings.ts';
import type { AlertIndex } from '@svc/application/report/derivation-repository.ts';
import { severities, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { Random } from '../samples/random.ts';
import type { IntelPorts, Measured } from './intel-part.ts';

const [jobs, markersOfJob, rules, hosts] = [100, 10_000, 100, 3];
const start = Date.UTC(2026, 6, 1) / 1000;
const days = 30;
const [firstMs, zoomMs, listMs] = [1000, 100, 1000];
const tactics = ['execution', 'persistence', 'discovery', 'lateral_movement', 'impact'];

/** A case of 100 jobs with 1,000,000 markers in the same month: its timelines, findings and hosts. */
export async function caseStory(ports: IntelPorts, viewer: Actor, db: Database): Promise<readonly Measured[]> {
  const id = await madeCase(db);
  const cold = () => ({ ...ports, caseTimelines: new PgCaseTimelines(db) });
  let place = 0;
  const zoomed = (share: number) => async () => {
    place = (place + 0.137) % (1 - share);
    return (await getCaseEvents(ports, viewer, { id, frm: second(place), to: second(place + share) })).total;
  };
  const list = (asked: object) => async () =>
    (await listCaseFindings(ports, viewer, { id, q: '', host: '', ...asked })).total;
  return [
    {
      name: 'case: markers, nothing kept',
      longestMs: firstMs,
      run: async () => (await getCaseEvents(cold(), viewer, { id })).total,
    },
    {
      name: 'case: hours and key events, nothing kept',
      longestMs: firstMs,
      run: async () => (await getCaseTimeline(cold(), viewer, { id })).key_events_total,
    },
    {
      name: 'case: markers, whole',
      longestMs: zoomMs,
      run: async () => (await getCaseEvents(ports, viewer, { id })).total,
    },
    ...[0.5, 0.1, 0.01, 0.0001].map((share) => ({
      name: `case: markers, ${share * 100} % of the time`,
      longestMs: zoomMs,
      run: zoomed(share),
    })),
    {
      name: 'case: markers, one severity',
      longestMs: zoomMs,
      run: async () => (await getCaseEvents(ports, viewer, { id, severity: ['critical'] })).total,
    },
    {
      name: 'case: hours and key events',
      longestMs: firstMs,
      run: async () => (await getCaseTimeline(ports, viewer, { id })).key_events_total,
    },
    { name: 'case: findings', longestMs: listMs, run: list({}) },
    { name: 'case: findings of a host and tactic', longestMs: listMs, run: list({ host: 'ws1', tactic: 'impact' }) },
    {
      name: 'case: hosts and users',
      longestMs: listMs,
      run: async () => (await getCaseActors(ports, viewer, { id })).hosts_total,
    },
  ];
}

/** Milliseconds of a share of the month. */
function second(share: number): number {
  return (start + share * days * 86_400) * 1000;
}

async function madeCase(db: Database): Promise<number> {
  const found = await rowsOf<{ job: number; task: number }>(
    db,
    sql`select job_id as job, min(id) as task from task_results group by job_id order by job_id limit ${jobs}`,
  );
  await db.execute(sql`update jobs set is_private = false where id <= ${found.at(-1)?.job ?? 0}`);
  if (found.length < jobs) throw new Error(`a case of ${jobs} jobs needs at least ${100 * jobs} entities in the tenth`);
  const [made] = await rowsOf<{ id: number }>(
    db,
    sql`insert into cases (name, is_shared, created_at, updated_at) values ('Wave', true, now(), now()) returning id`,
  );
  // What was made before has numbers of its own.
  await db.execute(sql`select setval(pg_get_serial_sequence('findings', 'id'), max(id)) from findings`);
  const random = new Random(1);
  for (const [nth, { job, task }] of found.entries()) {
    const ids = await findingsOf(db, { job, task });
    const alerts = Buffer.from(await packed(indexOf(ids, random)));
    const analytics = JSON.stringify({ events: markersOfJob, hours: hoursOf(), entities: {}, threats: {} });
    await db.execute(sql`
      insert into task_derivations (task_result_id, job_id, analytics, alerts, processes)
      values (${task}, ${job}, ${analytics}::jsonb, decode(${alerts.toString('hex')}, 'hex'), '')
      on conflict (task_result_id) do update set analytics = excluded.analytics, alerts = excluded.alerts`);
    await db.execute(sql`
      insert into case_jobs (case_id, job_id, added_at, clock_offset)
      values (${made!.id}, ${job}, now(), ${nth % 4 === 0 ? 3600 : 0})`);
  }
  return made!.id;
}

async function findingsOf(db: Database, { job, task }: { job: number; task: number }): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`insert into findings (task_result_id, job_id, rule_id, rule_name, severity, severity_rank, count, tags,
          first_seen, last_seen, hosts, events_kept, rule_signature)
        select ${task}::int, ${job}::int, concat('case-rule', n), concat('Case rule ', n),
          (${sql.raw(`array['${severities.join("','")}']`)})[1 + n % 5], n % 5, 100 + n,
          jsonb_build_array(concat('attack.', (${sql.raw(`array['${tactics.join("','")}']`)})[1 + n % 5])),
          '2026-07-01T00:00:00Z', '2026-07-30T00:00:00Z', '["ws1", "ws2", "dc1"]', 0, concat('case-rule', n, ':x')
        from generate_series(1, ${rules}::int) as n returning id`,
  );
  return rows.map(({ id }) => id);
}

function indexOf(ids: readonly number[], random: Random): AlertIndex {
  const keys = ids.flatMap((id, rule) =>
    Array.from({ length: hosts }, (_, host): AlertIndex['keys'][number] => {
      const severity = severities[(1 + rule) % severities.length]!;
      return [
        `case-rule${rule + 1}`,
        `Case rule ${rule + 1}`,
        severity,
        tactics[(1 + rule) % tactics.length]!,
        host,
        0,
        id,
      ];
    }),
  );
  const ts = Array.from({ length: markersOfJob }, () => start + random.int(0, days * 86_400 - 1)).sort((a, b) => a - b);
  return {
    v: 1,
    res: 1,
    ts,
    k: ts.map(() => random.int(0, keys.length - 1)),
    n: ts.map(() => random.int(1, 20)),
    keys,
    computers: ['ws1', 'ws2', 'dc1'],
    tools: ['sigma-native'],
    total: markersOfJob,
    undated: 0,
    source_truncated: false,
  };
}

function hoursOf() {
  return Array.from({ length: days * 24 }, (_, hour) => ({
    hour: new Date((start + hour * 3600) * 1000).toISOString().slice(0, 13),
    tactics: Object.fromEntries(tactics.map((tactic) => [tactic, 3])),
  }));
}
