import type { Database } from '@svc/adapters/postgres/database.ts';
import { insertRows } from '@svc/adapters/postgres/insert-rows.ts';
import { packed } from '@svc/adapters/postgres/packed-json.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { rawOutputs, taskDerivations } from '@svc/adapters/postgres/schema/index.ts';
import type { ObjectReader } from '@svc/application/ports/object-store.ts';
import type { TaskIntel } from '@svc/application/intel/task-intel.ts';
import type { BackfillKind } from '@svc/contracts/tasks.ts';
import { sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { fillJobs } from './jobs-data.ts';

export type MeasuredKind = BackfillKind | 'cleanup_old_job_outputs';

const rowsAtOnce = 2000;
const title = 'Suspicious process';
const [emptyText, census] = [await packed({}), { records: 9, rules: null }];
const noAlerts = await packed({ res: 1, total: 0, undated: 0, computers: [], keys: [], ts: [], k: [], n: [] });

/** Fills an empty database with jobs of one finding each, whose logs name some ten things that others name, too. */
export async function fillDerived(db: Database, jobs: number, now: Date): Promise<void> {
  await fillJobs(db, jobs, { most: jobs, now });
  await db.execute(sql`
    insert into findings (task_result_id, job_id, rule_name, severity, severity_rank, count, tags, events_kept, rule_signature)
    select id, job_id, ${title}, 'high', 1, 3, '["attack.execution"]', 0, 'suspicious-process:high'
    from task_results order by id`);
  const tasks = await rowsOf<{ task: number; job: number; finding: number }>(
    db,
    sql`select t.id as task, t.job_id as job, f.id as finding from task_results t join findings f on f.task_result_id = t.id order by t.id`,
  );
  for (let from = 0; from < tasks.length; from += rowsAtOnce) {
    const rows = tasks.slice(from, from + rowsAtOnce).map(async ({ task, job, finding }) => ({
      taskResultId: task,
      jobId: job,
      analytics: {} as never,
      alerts: noAlerts,
      processes: emptyText,
      census: census as never,
      intel: await packed(intelOf(job, finding)),
    }));
    await insertRows(db, taskDerivations, await Promise.all(rows));
  }
  await addRawOutputs(db);
}

/** As old as makes them due for removal. */
async function addRawOutputs(db: Database): Promise<void> {
  await db.execute(sql`
    insert into ${rawOutputs} (task_result_id, job_id, name, storage_key, size_bytes, is_complete, created_at)
    select id, job_id, 'matches.jsonl.gz', concat('outputs/', id), 500, true, now() - interval '100 days' from task_results`);
}

/** Of a host, an account and addresses that many name, and of files that few do. */
function intelOf(job: number, finding: number): TaskIntel {
  const digest = createHash('sha256').update(String(job)).digest('hex');
  const entities = [
    { type: 'computer', value: `srv${job % 400}`, count: 9 },
    { type: 'user', value: `corp\\user${job % 5000}`, count: 4 },
    { type: 'executable', value: `tool${job % 900}.exe`, count: 2 },
    { type: 'hash', value: digest.toUpperCase(), count: 1 },
    { type: 'hash', value: digest.slice(0, 32).toUpperCase(), count: 1 },
    { type: 'ip_address', value: `10.1.${job % 200}.${job % 250}`, count: 5 },
    { type: 'ip_address', value: `198.51.${job % 90}.${job % 240}`, count: 1 },
    { type: 'domain', value: `d${job % 3000}.example`, count: 1 },
    { type: 'cmdline_file', value: `run-${job % 7000}.ps1`, count: 1 },
  ] as const;
  const observed = Date.parse('2026-07-30T08:00:00Z') + job;
  const related = { count: 1, failed: 0, observedFrom: observed, observedTo: observed, samples: [] };
  return {
    entities,
    findings: [{ finding, entities: [0, 1, 2] }],
    relationships: [
      { type: 'runs_on', source: 2, target: 0, ...related },
      { type: 'runs_as', source: 2, target: 1, ...related },
    ],
    isTruncated: false,
  };
}

/** Undoes what a backfill makes. */
export async function wipe(db: Database, kind: MeasuredKind): Promise<void> {
  const statements: Readonly<Record<MeasuredKind, string>> = {
    backfill_similarity: 'truncate file_digests; update uploaded_files set tlsh = null',
    // A clean-up before has removed what they are read from.
    backfill_analytics: `update task_derivations set analytics = '{}'; truncate raw_outputs`,
    backfill_entities: 'truncate entities, entity_totals, job_entity_counts cascade',
    backfill_entity_attributes: `update entities set attributes = null, attribute_keys = '{}', attributes_version = 0`,
    backfill_builtin_labels: 'truncate entity_tags',
    backfill_relationships: 'truncate relationships cascade',
    backfill_finding_entity_links: 'truncate entity_findings',
    cleanup_old_job_outputs: 'truncate raw_outputs',
  };
  for (const one of statements[kind].split('; ')) await db.execute(sql.raw(one));
  if (statements[kind].includes('truncate raw_outputs')) await addRawOutputs(db);
}

/** What a backfill has left, as a count and a sum that any other row would change. */
export async function leftBy(db: Database, kind: MeasuredKind): Promise<string> {
  const entities = 'select type, value, job_count, first_seen_at, last_seen_at from entities';
  const links =
    'select e.type, e.value, l.job_id, l.occurrence_count from entity_job_links l join entities e on e.id = l.entity_id';
  const findings = 'select e.type, e.value, f.finding_id from entity_findings f join entities e on e.id = f.entity_id';
  const relationships = `select s.value, t.value as other, r.type, r.occurrence_count, r.first_seen_at, r.last_seen_at
    from relationships r join entities s on s.id = r.source_id join entities t on t.id = r.target_id`;
  const intel = [entities, links, findings, relationships];
  const queries: Readonly<Record<MeasuredKind, readonly string[]>> = {
    backfill_similarity: ['select id, tlsh from uploaded_files', 'select * from file_digests'],
    backfill_analytics: ['select job_id, analytics from task_derivations'],
    backfill_entities: intel,
    backfill_entity_attributes: ['select type, value, attributes, attribute_keys from entities'],
    backfill_builtin_labels: [
      'select e.value, t.name from entity_tags g join entities e on e.id = g.entity_id join tags t on t.id = g.tag_id',
    ],
    backfill_relationships: intel,
    backfill_finding_entity_links: intel,
    // Objects that a killed process had still to remove are for the next sweep.
    cleanup_old_job_outputs: ['select * from raw_outputs'],
  };
  const sums = [];
  for (const query of queries[kind]) {
    const statement = `select concat(count(*), ' rows, sum ', sum(hashtextextended(found::text, 0)::numeric)) as sum from (${query}) as found`;
    sums.push((await rowsOf<{ sum: string }>(db, sql.raw(statement)))[0]!.sum);
  }
  return sums.join('; ');
}

/** How many things a backfill goes over. */
export async function sizeOf(db: Database, kind: MeasuredKind): Promise<number> {
  const table =
    kind === 'backfill_similarity'
      ? 'uploaded_files'
      : kind === 'cleanup_old_job_outputs'
        ? 'raw_outputs'
        : kind === 'backfill_entity_attributes' || kind === 'backfill_builtin_labels'
          ? 'entities'
          : 'task_derivations';
  return (await rowsOf<{ n: number }>(db, sql.raw(`select count(*)::int as n from ${table}`)))[0]!.n;
}

const line = (key: string): string => {
  const at = new Date(Date.parse('2026-07-30T08:00:00Z') + Number(key.slice('outputs/'.length)) * 1000).toISOString();
  const record = {
    UtcTime: at,
    EventID: 1,
    Computer: 'srv1',
    Channel: 'Sysmon',
    Image: 'C:\\tool.exe',
    User: 'CORP\\anna',
  };
  const rule = { id: null, title, level: 'high', tags: ['attack.execution'] };
  const place = { computer: 'srv1', channel: 'Sysmon', event_id: '1', record_id: '1' };
  return `${JSON.stringify({ ts: at, rule, nth: 0, ...place, record })}\n`;
};

/** What every object holds, as its key says: one match of a raw output, or a kilobyte of a log. */
export function contentOf(key: string): Uint8Array {
  if (key.startsWith('outputs/')) return gzipSync(Buffer.from(line(key)));
  return Buffer.from(
    Array.from({ length: 16 }, (_, part) => createHash('sha256').update(`${key} ${part}`).digest('hex')).join(' '),
  );
}

export function readerOf(content: Uint8Array): ObjectReader {
  return {
    size: content.length,
    read: async (offset, into) => {
      const part = content.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}
