import type { Database } from '@svc/adapters/postgres/database.ts';
import { flag, named, numbered } from '@svc/adapters/postgres/search/facets.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { sql, type SQL } from 'drizzle-orm';
import { withoutIndexes } from './without-indexes.ts';

/** Accounts, of which the first submits one job in 50; and tags, of which each is on one job in 200. */
const [accounts, tags] = [50, 20];
/** Jobs that are live, whatever their number. */
const live = 20;

/** Jobs a transaction. */
const batch = 250_000;
/** Hashes and addresses of its own that a job holds; fewer of a million, for the sake of the disk. */
const ownValues = (most: number): number => (most < 1_000_000 ? 20 : 2);
/** Time from the first job to the last of the most that there will be. */
const tenYears = 10 * 365 * 86_400;

/**
 * Adds jobs up to this number, of the most that there will be, as a service of some years has them: the newest
 * live, a fifth private, most with hits, and tables (`csv`) only among the oldest fiftieth. Tells whether any were missing.
 */
export async function fillJobs(
  db: Database,
  count: number,
  { most, now }: { most: number; now: Date },
): Promise<boolean> {
  const countOf = async (): Promise<number> =>
    (await rowsOf<{ has: number }>(db, sql`select count(*)::int as has from jobs`))[0]?.has ?? 0;
  if ((await countOf()) >= count) return false;
  await withoutIndexes(db, ['jobs', 'task_results'], async () => {
    for (let has = await countOf(); has < count; has = await countOf()) {
      if (has === 0) await fillVocabulary(db, now);
      await addJobs(db, { has, count: Math.min(count, has + batch), most, now });
    }
  });
  return true;
}

async function addJobs(
  db: Database,
  { has, count, most, now }: { has: number; count: number; most: number; now: Date },
): Promise<void> {
  const series = sql`generate_series(${has + 1}::int, ${count}::int) as n`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`update jobs set status = 'completed', finished_at = created_at where finished_at is null`);
    await tx.execute(sql`
      insert into uploaded_files (original_name, storage_key, sha256, size_bytes, detected_type, uploaded_at, uploader_ip)
      select 'x', n::text, md5(n::text) || md5((-n)::text), 1000 + n, 'evtx', ${now}, '192.0.2.1' from ${series}`);
    await tx.execute(sql`
      insert into jobs (file_id, workflow_id, submitted_by, submitter_ip, submitted_name, search_name, log_type,
        is_private, status, error_code, error_message, score_ratio, total_findings, distinct_rules, severity_summary,
        created_at, started_at, finished_at, marks)
      select file.id, (select min(id) from workflows) + n % (select count(*) from workflows)::int,
        case when ${spread(1)} < 700 then md5(concat('account', n % ${accounts}::int))::uuid end, '192.0.2.1',
        name, lower(name),
        case when n <= ${Math.ceil(most / 50)}::int then 'csv'
          else (array['evtx','evtx','evtx','json_evtx','auditd','syslog','web_access'])[1 + n % 7] end, ${spread(2)} < 200,
        case when n > ${count - live}::int then 'running' when ${spread(3)} < 930 then 'completed'
          when ${spread(3)} < 965 then 'partial' when ${spread(3)} < 995 then 'failed' else 'cancelled' end,
        case when ${spread(3)} >= 965 and ${spread(3)} < 995 then 'all_tasks_failed' end,
        case when ${spread(3)} >= 965 and ${spread(3)} < 995 then 'lost' end,
        '1/1', case when ${spread(4)} < 300 then 0 else ${spread(5)} end, 3,
        jsonb_build_object('critical', case when ${spread(4)} >= 970 then 1 else 0 end,
          'high', case when ${spread(4)} >= 800 then 2 else 0 end, 'medium', case when ${spread(4)} >= 500 then 2 else 0 end,
          'low', 0, 'informational', case when ${spread(4)} >= 300 then 5 else 0 end),
        moment, moment, case when n <= ${count - live}::int then moment end,
        coalesce((select array_agg(${sql.raw(String(numbered('tag', 0)))} + tags.id order by tags.id) from tags
          where ${hasTag(sql`n`)}), array[${sql.raw(String(flag('untagged')))}]) || ${named('tool', 'sigma-native')}
      from ${series}
      join uploaded_files file on file.storage_key = n::text
      cross join lateral (select concat('srv', lpad((n % 400)::text, 4, '0'), '-',
        (array['Security.evtx','System.evtx','Sysmon.evtx','audit.log','access.log'])[1 + ${spread(6)} % 5]) as name,
        ${now}::timestamptz - make_interval(secs => (${most}::int - n) * ${tenYears / most}::float8) as moment) as made
      order by n`);
    await tx.execute(sql`
      insert into task_results (job_id, position, engine, status, findings_count, held)
      select n, 0, 'sigma-native', 'completed', 3, ${heldBy(ownValues(most))} from jobs cross join lateral (select jobs.id as n) as made
      where jobs.id > ${has}::int`);
    await tx.execute(sql`
      insert into job_tags (job_id, tag_id, created_at)
      select jobs.id, tags.id, ${now} from jobs join tags on ${hasTag(sql`jobs.id`)}
      where jobs.id > ${has}::int`);
  });
}

const hasTag = (job: SQL): SQL => sql`abs(hashint4(${job} * 31 + tags.id)) % 200 = 0`;

/** The same for the same number `n`, spread over 0 to 999. */
function spread(salt: number): SQL {
  return sql`(abs(hashint4(n * 31 + ${salt}::int)) % 1000)`;
}

/** What is found in a job: one of 400 hosts, of 5,000 accounts, of 20 rules, and hashes and addresses of its own. */
const heldBy = (
  own: number,
): SQL => sql`array[concat('host:srv', lpad((n % 400)::text, 4, '0')), concat('user:user', ${spread(7)} * 5 + n % 5),
    concat('rule:rule', ${spread(8)} % 20), concat('technique:t', 1000 + ${spread(8)} % 20), 'program:powershell.exe',
    'program:powershell'] ||
  (select array_agg(concat('hash:', md5(concat(n, ' ', place)))) from generate_series(1, ${own}::int) as place) ||
  (select array_agg(concat('ip:10.', n % 250, '.', (n / 250) % 250, '.', place)) from generate_series(1, ${own}::int) as place)`;

/** The id of the account that has submitted the first of every 50 jobs. */
export async function firstAccount(db: Database): Promise<string> {
  const rows = await rowsOf<{ id: string }>(db, sql`select md5(concat('account', 1))::uuid as id`);
  return rows[0]?.id ?? '';
}

async function fillVocabulary(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    insert into accounts (id, email, password_hash, role)
    select md5(concat('account', n))::uuid, concat(n, '@example.org'), '', 'member'
    from generate_series(0, ${accounts - 1}::int) as n`);
  await db.execute(sql`
    insert into tags (name, color, created_at)
    select concat('tag', n), 'gray', ${now} from generate_series(1, ${tags}::int) as n`);
}
