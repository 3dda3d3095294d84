import type { Database } from '@svc/adapters/postgres/database.ts';
import { markEntities } from '@svc/adapters/postgres/intel/mark-entities.ts';
import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import { relationshipTypes } from '@svc/engine';
import { sql, type SQL } from 'drizzle-orm';
import { fillJobs } from './jobs-data.ts';
import { withoutIndexes } from './without-indexes.ts';

/** How much there is; links and relationships about so many. */
export interface IntelSize {
  readonly entities: number;
  readonly jobs: number;
  readonly links: number;
  readonly relationships: number;
}

/** Links a statement, and entities. */
const [linksAtOnce, entitiesAtOnce] = [1_000_000, 100_000];
const findingsOfJob = 3;
/** Newest jobs that have analytics, or a tenth of all: pages of entities read those of fewer. */
const analysed = 200;
/** Tags beside those of jobs. */
const tags = ['apt/28', 'apt/29', 'apt/41', 'c2', 'triage'];

/**
 * Fills an empty database with jobs and what they name: the lower the number of an entity, the more jobs name it (the
 * first ones nearly all, most a handful), and some jobs name twenty times what others do.
 */
export async function fillIntel(db: Database, size: IntelSize, now: Date): Promise<void> {
  await fillJobs(db, size.jobs, { most: size.jobs, now });
  const tables = [
    'entities',
    'entity_search',
    'entity_job_links',
    'entity_findings',
    'entity_tags',
    'findings',
    'relationships',
    'relationship_evidence',
    'task_derivations',
  ];
  await withoutIndexes(db, tables, async () => {
    // Without looking up each reference.
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await addLinks(tx, size);
      await addEntities(tx, size);
      await addTags(tx, now);
      await addFindings(tx);
      await addRelationships(tx, size);
      await addAnalytics(tx);
    });
  });
}

/** Each entity once in a job of its own, and all else by chance. */
async function addLinks(db: Database, { entities, jobs, links }: IntelSize): Promise<void> {
  await db.execute(sql`create temp table drawn (entity_id integer, job_id integer)`);
  await db.execute(sql`
    insert into drawn select n, ${jobOf(sql`n`, jobs, 16)} from generate_series(1, ${entities}::int) as n`);
  // Some are drawn twice.
  const more = Math.round((links - entities) * 1.07);
  for (let from = 0; from < more; from += linksAtOnce) {
    await db.execute(sql`
      insert into drawn
      select 1 + floor(${entities}::int * power(${chance(sql`n`, 1)}, 3))::int, ${jobOf(sql`n`, jobs, 2)}
      from generate_series(${from + 1}::bigint, ${Math.min(more, from + linksAtOnce)}::bigint) as n`);
  }
  await db.execute(sql`
    insert into entity_job_links (entity_id, job_id, occurrence_count)
    select entity_id, job_id, 1 + floor(2000 * power(${chance(sql`entity_id::bigint * 20011 + job_id`, 3)}, 8))::int
    from drawn group by entity_id, job_id order by entity_id, job_id`);
  await db.execute(sql`drop table drawn`);
  await db.execute(sql`
    insert into job_entity_counts (job_id, entities) select job_id, count(*) from entity_job_links group by job_id`);
}

async function addEntities(db: Database, { entities }: IntelSize): Promise<void> {
  await db.execute(sql`
    create temp table counted as
    select entity_id as id, count(*)::int as jobs, min(job_id) as first, max(job_id) as last
    from entity_job_links group by entity_id`);
  await db.execute(sql`
    insert into entities (id, type, value, value_key, ip_key, first_seen_at, last_seen_at, job_count, is_watched,
      is_allowlisted, note, attributes, attribute_keys, attributes_version)
    overriding system value
    select counted.id, type, value, lower(value),
      case when type = 'ip_address' then decode(repeat('00', 10) || 'ffff' || lpad(to_hex(value::inet - '0.0.0.0'), 8, '0'), 'hex') end,
      earliest.created_at, latest.created_at, jobs,
      counted.id % 10007 = 5, counted.id % 1009 = 3, case when counted.id % 2003 = 7 then 'seen before' end,
      case when keys <> '{}' then jsonb_build_object('category', keys[1]) end, keys, 1
    from counted
    join jobs earliest on earliest.id = first
    join jobs latest on latest.id = last
    cross join lateral (select md5(counted.id::text) as md5, ${chance(sql`counted.id`, 4)} as kind,
      counted.id::bigint * 2654435761 as mixed, counted.id % 5 < 2 as inside,
      ${oneOf(['update', 'setup', 'svc', 'invoice', 'report', 'agent', 'backup', 'mail', 'sync', 'driver', 'loader'], 5)} as word,
      ${oneOf(['com', 'com', 'com', 'net', 'org', 'io', 'example', 'top', 'pw'], 6)} as tld,
      ${oneOf(['.ps1', '.bat', '.vbs', '.js', '.dll'], 7)} as extension,
      ${oneOf(['corp\\', 'corp\\', 'dev\\', ''], 8)} as realm,
      ${oneOf(['anna', 'bob', 'carol', 'svc-', 'admin', 'dieter'], 9)} as name,
      ${oneOf(['ws-', 'ws-', 'srv-', 'dc-'], 10)} as role) as made
    cross join lateral (select case when kind < 0.45 then 'hash' when kind < 0.65 then 'ip_address'
      when kind < 0.8 then 'domain' when kind < 0.88 then 'cmdline_file' when kind < 0.93 then 'executable'
      when kind < 0.96 then 'user' when kind < 0.98 then 'computer' when kind < 0.995 then 'service' else 'task' end as type) as typed
    cross join lateral (select case type
      when 'hash' then upper(case when counted.id % 3 = 0 then md5 else encode(sha256(md5::bytea), 'hex') end)
      when 'ip_address' then host(case when inside then '10.0.0.0'::inet + mixed % 16777216 else '16.0.0.0'::inet + mixed % 3489660928 end)
      when 'domain' then concat(left(md5, 5 + counted.id % 7), '.', word, counted.id % 1000, '.', tld)
      when 'cmdline_file' then concat(word, '-', left(md5, 8), extension)
      when 'executable' then concat(word, left(md5, 8), '.exe')
      when 'user' then concat(realm, name, '.', left(md5, 8))
      when 'computer' then concat(role, lpad(counted.id::text, 7, '0'), '.corp.example')
      when 'service' then concat('Windows ', initcap(word), ' Service ', left(md5, 8))
      else concat('\\Microsoft\\Windows\\', initcap(word), '\\', left(md5, 8)) end as value,
      case type
      when 'hash' then array[case when counted.id % 3 = 0 then 'md5' else 'sha256' end]
      when 'ip_address' then case when inside then array['rfc1918', 'private'] else array['public'] end
      when 'domain' then case when tld in ('top', 'pw') then array['suspicious_tld'] when counted.id % 50 = 0 then array['dga'] end
      when 'executable' then case when counted.id % 50 < 3 then array['lolbin'] end
      when 'user' then case when name in ('svc-', 'admin') then array['privileged'] end end as found) as valued
    cross join lateral (select coalesce(found, '{}'::text[]) as keys) as keyed`);
  await db.execute(sql`drop table counted`);
  await db.execute(sql`insert into entity_totals (type, many) select type, count(*) from entities group by type`);
  await db.execute(sql`select setval('entities_id_seq', ${entities}::bigint)`);
}

/** A tag on one entity in 100, and each of the others on one in 2,000. */
async function addTags(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    insert into tags (name, color, created_at)
    select name, 'red', ${now} from unnest(${sql.param(tags)}::text[]) as name`);
  await db.execute(sql`
    insert into entity_tags (entity_id, tag_id, created_at)
    select entities.id, tags.id, ${now} from entities join tags
      on ${chance(sql`entities.id::bigint * 101 + tags.id`, 11)} < case when tags.name = 'triage' then 0.01 else 0.0005 end`);
  const [{ most } = { most: 0 }] = await rowsOf<{ most: number }>(db, sql`select max(id) as most from entities`);
  for (let from = 1; from <= most; from += entitiesAtOnce)
    await markEntities(
      db,
      Array.from({ length: Math.min(entitiesAtOnce, most - from + 1) }, (_, place) => from + place),
    );
}

/** Three of a job, which name a tenth of what it names. */
async function addFindings(db: Database): Promise<void> {
  await db.execute(sql`
    insert into findings (id, task_result_id, job_id, rule_id, rule_name, severity, severity_rank, count, tags, events_kept, rule_signature)
    overriding system value
    select (job_id - 1) * ${findingsOfJob}::int + place, id, job_id, concat('rule', n), concat('Rule ', n),
      (array['critical', 'high', 'medium', 'low'])[1 + n % 4], n % 4, 1 + n, '["attack.t1059"]', 0, concat('rule', n)
    from task_results cross join generate_series(1, ${findingsOfJob}::int) as place
    cross join lateral (select (job_id * 7 + place * 13) % 400 as n) as rule`);
  await db.execute(sql`
    insert into entity_findings (finding_id, entity_id, job_id)
    select (job_id - 1) * ${findingsOfJob}::int + 1 + floor(drawn * ${findingsOfJob * 10}::int)::int, entity_id, job_id
    from entity_job_links cross join lateral (select ${chance(sql`entity_id::bigint * 20011 + job_id`, 12)} as drawn) as made
    where drawn < 0.1`);
  await db.execute(sql`
    update entities set found = named.found
    from (select entity_id, max(case when is_private then 1 else 2 end) as found
      from entity_findings join jobs on jobs.id = job_id group by entity_id) as named
    where entities.id = entity_id`);
}

/** Between what a job names, mostly from what many jobs name. */
async function addRelationships(db: Database, { links, relationships }: IntelSize): Promise<void> {
  const share = (relationships / links) * 1.02;
  await db.execute(sql`
    create temp table shown as
    select distinct job_id, named[1 + floor(many * power(${chance(sql`n`, 13)}, 3))::int] as source,
      named[1 + floor(many * ${chance(sql`n`, 14)})::int] as target,
      ${oneOf(relationshipTypes, 15, sql`n`)} as type,
      1 + floor(500 * power(${chance(sql`job_id::bigint * 31 + named[1 + floor(many * ${chance(sql`n`, 14)})::int]`, 17)}, 6))::int as seen
    from (select job_id, array_agg(entity_id order by entity_id) as named, count(*)::int as many
      from entity_job_links group by job_id) as jobs
    cross join generate_series(1, ceil(many * ${share}::float8)::int) as place
    cross join lateral (select job_id::bigint * 20011 + place as n) as numbered`);
  await db.execute(sql`
    insert into relationships (source_id, target_id, type, first_seen_at, last_seen_at, occurrence_count)
    select source, target, type, min(created_at), max(created_at), sum(seen) from shown join jobs on jobs.id = job_id
    where source <> target group by source, target, type`);
  await db.execute(sql`
    insert into relationship_evidence (relationship_id, job_id, occurrence_count, failed_count, observed_from, observed_to, seen_at, sample_events)
    select r.id, job_id, seen, 0, created_at, created_at, created_at,
      json_build_array(json_build_object('UtcTime', created_at, 'EventID', 1, 'Computer', concat('ws-', job_id),
        'Image', concat('C:\\Windows\\System32\\', md5(r.id::text), '.exe'), 'User', concat('corp\\', md5(job_id::text))))
    from shown join relationships r on r.source_id = source and r.target_id = target and r.type = shown.type
    join jobs on jobs.id = job_id`);
  await db.execute(sql`drop table shown`);
}

/** 145 kB of JSON each, as busy logs of servers have: lists of what they name, and 400 things that heuristics found. */
async function addAnalytics(db: Database): Promise<void> {
  await db.execute(sql`
    insert into task_derivations (task_result_id, job_id, analytics, alerts, processes, intel_version)
    select t.id, t.job_id, jsonb_build_object('events', 5000, 'hours', '[]'::jsonb, 'entities', named, 'entitiesTruncated', false,
      'threats', jsonb_build_object('total_indicators', 400, 'total_categories', 8, 'categories', categories)), '', '', 1
    from task_results t
    cross join lateral (
      select jsonb_object_agg(type, list) as named from unnest(array['user', 'computer', 'hash', 'ip_address', 'domain',
        'executable', 'cmdline_file', 'service', 'task']) as type
      cross join lateral (
        select jsonb_agg(jsonb_build_object('value', md5(concat(t.job_id, type, n)), 'count', n)) as list
        from generate_series(1, 100) as n) as listed) as entities
    cross join lateral (
      select jsonb_object_agg(concat('category', c), jsonb_build_object('label', concat('Category ', c), 'severity', 'high',
        'description', '', 'total', 50, 'indicators', indicators)) as categories
      from generate_series(1, 8) as c
      cross join lateral (
        select jsonb_agg(jsonb_build_object('tag', concat('tag', n), 'severity', 'high', 'count', n,
          'value', concat('powershell.exe -nop -w hidden -enc ', repeat(md5(concat(t.job_id, c, n)), 4)))) as indicators
        from generate_series(1, 50) as n) as found) as threats
    where t.job_id > (select max(id) - least(${analysed}::int, max(id) / 10) from jobs)`);
}

/** Which job, where few have twenty times what most have. */
function jobOf(n: SQL, jobs: number, salt: number): SQL {
  const rank = sql`floor(${jobs}::int * power(${chance(n, salt)}, 1.5))::bigint`;
  return sql`1 + (${rank} * 7919 % ${jobs}::int)::int`;
}

/** The same for the same number, spread from 0 to below 1. */
function chance(n: SQL, salt: number): SQL {
  return sql`((hashint8extended(${n}, ${sql.raw(String(salt))}) & 2147483647) / 2147483648::float8)`;
}

function oneOf(texts: readonly string[], salt: number, n: SQL = sql`counted.id`): SQL {
  return sql`(${sql.param([...texts])}::text[])[1 + floor(${sql.raw(String(texts.length))} * ${chance(n, salt)})::int]`;
}
