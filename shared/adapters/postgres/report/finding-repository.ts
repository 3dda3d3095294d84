import type {
  CorrelatedFinding,
  EngineFinding,
  FindingPage,
  FindingRepository,
  FiredRule,
  MatchedRule,
  RecentCosts,
  RecentHits,
} from '@svc/application/report/finding-repository.ts';
import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import type { SampleEvent } from '@svc/application/report/agreement/records.ts';
import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { fallbackName, reportedStatuses, severities, type Actor, type Finding, type Severity } from '@svc/domain';
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { EventPacks } from './event-packs.ts';
import { counting, findingColumns, listedAs, places, sampleEvents, standing, worstFirst } from './finding-columns.ts';
import { type FindingPlace, parsed, samplesIn } from './samples-in.ts';
import {
  caseJobs,
  eventPacks,
  findingEvents,
  findings,
  jobs,
  ruleSources,
  taskResults,
  uploadedFiles,
} from '../schema/index.ts';
import { storableText } from '../text.ts';
import { visibleTo } from '../visible.ts';

/** Findings of the database; their sample events are in the store, but for those that wait to be moved there. */
export class PgFindingRepository implements FindingRepository {
  readonly #db: Database;
  readonly #packs: EventPacks;

  constructor(db: Database, objects: Pick<ObjectStore, 'open'>) {
    this.#db = db;
    this.#packs = new EventPacks(objects);
  }

  async page(
    jobId: number,
    { severity, page, per }: { severity: Severity | null; page: number; per: number },
  ): Promise<FindingPage> {
    const wanted = and(
      eq(findings.jobId, jobId),
      standing,
      severity === null ? undefined : eq(findings.severity, severity),
    );
    const [counted] = await this.#db.select({ total: count() }).from(findings).where(wanted);
    const total = counted?.total ?? 0;
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const rows = await this.#db
      .select(findingColumns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(wanted)
      .orderBy(...worstFirst)
      .limit(per)
      .offset((shown - 1) * per);
    return { findings: rows, page: shown, total };
  }

  async tagCounts(jobId: number): Promise<readonly Pick<Finding, 'tags' | 'count'>[]> {
    return this.#db
      .select({ tags: findings.tags, count: sql<number>`${findings.count} - ${findings.suppressed}`.mapWith(Number) })
      .from(findings)
      .where(and(eq(findings.jobId, jobId), counting));
  }

  async ofEngines(jobId: number): Promise<readonly EngineFinding[]> {
    const rows = await this.#db
      .select({ ...findingColumns, kept: findings.eventsKept, listedAs })
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(eq(findings.jobId, jobId))
      .orderBy(...worstFirst);
    return rows.map(({ parts, ...row }) => ({
      ...row,
      count: parts?.find(({ findingId }) => findingId === row.id)?.count ?? row.count,
    }));
  }

  async ofTask(taskId: number) {
    return this.#db
      .select({
        id: findings.id,
        ruleId: findings.ruleId,
        ruleName: findings.ruleName,
        severity: findings.severity,
        tags: findings.tags,
      })
      .from(findings)
      .where(eq(findings.taskResultId, taskId))
      .orderBy(asc(findings.id));
  }

  async withEvents(jobId: number): Promise<readonly (Finding & { readonly events: readonly SampleEvent[] })[]> {
    const rows = await this.#db
      .select(findingColumns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .where(and(eq(findings.jobId, jobId), standing))
      .orderBy(...worstFirst);
    const events = new Map<number, readonly SampleEvent[]>();
    for await (const kept of samplesIn(this.#packs, await this.#placesOf(jobId))) events.set(kept.id, kept.events());
    return rows.map((row) => Object.assign(row, { events: events.get(row.id) ?? [] }));
  }

  async withEventText(jobId: number, text: string): Promise<{ id: number; events: readonly SampleEvent[] }[]> {
    // As JSON writes it.
    const written = JSON.stringify(text).slice(1, -1).toLowerCase();
    const found: { id: number; events: readonly SampleEvent[] }[] = [];
    const pattern = `%${storableText(written).replace(/[\\%_]/g, String.raw`\$&`)}%`;
    const elsewhere = isNull(findingEvents.findingId);
    const isOfSeveral = or(isNotNull(findings.parts), isNotNull(findings.mergedInto));
    const maybe = or(elsewhere, isOfSeveral, sql`${sampleEvents} ilike ${pattern}`);
    for await (const { id, json, events } of samplesIn(this.#packs, await this.#placesOf(jobId, maybe))) {
      if (json.some((one) => one.toLowerCase().includes(written))) found.push({ id, events: events() });
    }
    return found;
  }

  async sampleEvents(jobId: number, most: number): Promise<readonly StoredEvent[]> {
    const order = sql.join(worstFirst, sql`, `);
    const counted = this.#db
      .select({
        id: findings.id,
        before: sql<number>`sum(${findings.eventsKept}) over (order by ${order}) - ${findings.eventsKept}`.as('before'),
        place: sql<number>`row_number() over (order by ${order})`.as('place'),
      })
      .from(findings)
      .where(eq(findings.jobId, jobId))
      .as('counted');
    const wanted = await this.#db
      .select({ id: counted.id })
      .from(counted)
      .where(lt(counted.before, most))
      .orderBy(asc(counted.place));
    const events = new Map<number, readonly StoredEvent[]>();
    const ids = wanted.map(({ id }) => id);
    for await (const { id, json } of this.#packs.read(await this.#placesOf(jobId, among(ids))))
      events.set(id, parsed(json));
    return ids.flatMap((id) => events.get(id) ?? []);
  }

  async matchedRules(jobIds: readonly number[]): Promise<readonly MatchedRule[]> {
    if (jobIds.length === 0) return [];
    // Columns of all places, since an object for each would take the database several times as long.
    const rows = await this.#db
      .select({
        signature: findings.ruleSignature,
        ruleName: sql<string>`min(${findings.ruleName})`,
        rank: sql<number>`min(${findings.severityRank})`,
        tags: sql<readonly string[]>`(array_agg(${findings.tags}))[1]`,
        jobIds: sql<readonly number[]>`json_agg(${findings.jobId})`,
        findingIds: sql<readonly number[]>`json_agg(${findings.id})`,
        counts: sql<readonly number[]>`json_agg(${findings.count})`,
        hosts: sql<readonly (readonly string[] | null)[]>`json_agg(${findings.hosts})`,
      })
      .from(findings)
      .where(and(inArray(findings.jobId, [...jobIds]), counting))
      .groupBy(findings.ruleSignature)
      .orderBy(sql`min(${findings.severityRank})`, sql`sum(${findings.count}) desc`, sql`min(${findings.ruleName})`);
    return rows.map(({ rank, jobIds: ids, findingIds, counts, hosts, ...rule }) => ({
      ...rule,
      severity: severities[rank] ?? 'informational',
      places: ids.map((jobId, at) => ({
        jobId,
        findingId: findingIds[at] ?? 0,
        count: counts[at] ?? 0,
        hosts: hosts[at] ?? null,
      })),
    }));
  }

  async firedIn(viewer: Actor, ruleId: string, limit: number): Promise<readonly FiredRule[]> {
    const rows = await this.#db
      // Several engines may have found it in a job.
      .selectDistinctOn([findings.jobId], {
        jobId: findings.jobId,
        submittedName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        count: findings.count,
        createdAt: jobs.createdAt,
      })
      .from(findings)
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(eq(findings.ruleId, ruleId), visibleTo(viewer)))
      .orderBy(desc(findings.jobId), desc(findings.count))
      .limit(limit);
    return rows.map(named);
  }

  async newestOfRule(
    viewer: Actor,
    ruleId: string,
    { caseId, most }: { readonly caseId: number | null; readonly most: number },
  ): Promise<{ readonly findings: readonly Finding[]; readonly total: number }> {
    const members = this.#db
      .select({ id: caseJobs.jobId })
      .from(caseJobs)
      .where(eq(caseJobs.caseId, caseId ?? 0));
    const wanted = and(
      eq(findings.ruleId, ruleId),
      standing,
      visibleTo(viewer),
      caseId === null ? undefined : inArray(findings.jobId, members),
    );
    const [counted] = await this.#db
      .select({ total: count() })
      .from(findings)
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(wanted);
    const rows = await this.#db
      .select(findingColumns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(wanted)
      .orderBy(desc(findings.jobId), asc(findings.id))
      .limit(most);
    return { findings: rows, total: counted?.total ?? 0 };
  }

  async fired(viewer: Actor, ruleIds: readonly string[]): Promise<ReadonlySet<string>> {
    const firing = this.#db
      .select({ id: findings.id })
      .from(findings)
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(and(sql`${findings.ruleId} = asked.id`, visibleTo(viewer)));
    const rows = await this.#db
      .select({ id: sql<string>`asked.id` })
      .from(sql`json_array_elements_text(${JSON.stringify(ruleIds)}::json) as asked(id)`)
      .where(exists(firing));
    return new Set(rows.map(({ id }) => id));
  }

  async recentHits(viewer: Actor, most: number): Promise<RecentHits> {
    const seen = and(inArray(jobs.status, [...reportedStatuses]), visibleTo(viewer));
    const recent = sql`recent as materialized (
      select ${jobs.id} as id from ${jobs} where ${seen} order by ${jobs.id} desc limit ${most})`;
    const [counted] = await rowsOf<Omit<RecentCosts, 'rules'> & { measured: number; measuredRecords: number }>(
      this.#db,
      sql`with ${recent} select count(*)::integer as jobs, coalesce(sum(read.records), 0)::float8 as records,
          count(read.ms)::integer as measured, coalesce(sum(read.measured), 0)::float8 as "measuredRecords",
          coalesce(sum(read.ms), 0)::float8 as ms
        from recent left join lateral (
          select max(${taskResults.events}) as records,
            max(${taskResults.events}) filter (where ${taskResults.ruleCosts} is not null) as measured,
            sum((${taskResults.ruleCosts} ->> 'ms')::float8) as ms
          from ${taskResults} where ${taskResults.jobId} = recent.id
        ) as read on true`,
    );
    const rules = await rowsOf<{ id: string; events: number; jobs: number }>(
      this.#db,
      sql`with ${recent} select lower(${findings.ruleId}) as id, sum(${findings.count} - ${findings.suppressed})::float8 as events,
          count(distinct ${findings.jobId})::integer as jobs
        from ${findings} join recent on recent.id = ${findings.jobId}
        where ${findings.ruleId} is not null and ${counting} group by 1`,
    );
    const costs = await rowsOf<{ id: string; tries: number; ms: number }>(
      this.#db,
      sql`with ${recent} select lower(rule.id) as id, sum(rule.tries) as tries, sum(rule.ms) as ms
        from ${taskResults} join recent on recent.id = ${taskResults.jobId},
          jsonb_to_recordset(${taskResults.ruleCosts} -> 'rules') as rule(id text, tries float8, ms float8)
        group by 1`,
    );
    const measured = {
      jobs: counted?.measured ?? 0,
      records: counted?.measuredRecords ?? 0,
      ms: counted?.ms ?? 0,
      rules: new Map(costs.map(({ id, ...cost }) => [id, cost])),
    };
    const byRule = new Map(rules.map(({ id, ...hits }) => [id, hits]));
    return { jobs: counted?.jobs ?? 0, records: counted?.records ?? 0, rules: byRule, measured };
  }

  async correlated(
    viewer: Actor,
    { jobId, signature }: { readonly jobId: number; readonly signature: string },
    limit: number,
  ): Promise<readonly CorrelatedFinding[]> {
    const rows = await this.#db
      // Several engines may have found the same in a job.
      .selectDistinctOn([findings.jobId], {
        jobId: findings.jobId,
        submittedName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        ruleName: findings.ruleName,
        severity: findings.severity,
        engine: taskResults.engine,
        count: findings.count,
        createdAt: jobs.createdAt,
      })
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(and(eq(findings.ruleSignature, signature), ne(findings.jobId, jobId), visibleTo(viewer)))
      .orderBy(desc(findings.jobId), desc(findings.count))
      .limit(limit);
    return rows.map(named);
  }

  async get(viewer: Actor | null, id: number): Promise<Finding | null> {
    const [row] = await this.#db
      .select(findingColumns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(and(eq(findings.id, id), viewer === null ? undefined : visibleTo(viewer)));
    return row ?? null;
  }

  async events(id: number): Promise<readonly SampleEvent[]> {
    const others = sql`select (part->>'findingId')::integer from ${findings}, jsonb_array_elements(parts) as part
      where id = ${id}`;
    const rows = await this.#places()
      .where(sql`${findings.id} = any(array(select ${id}::integer union ${others}))`)
      .orderBy(asc(findings.id));
    for await (const { events } of samplesIn(this.#packs, rows)) return events();
    return [];
  }

  async eventsOf(ids: readonly number[]): Promise<ReadonlyMap<number, readonly StoredEvent[]>> {
    const rows = await this.#places()
      .where(and(among(ids), gt(findings.eventsKept, 0)))
      .orderBy(asc(findings.taskResultId), asc(findings.id));
    const events = new Map<number, readonly StoredEvent[]>();
    for await (const { id, json } of this.#packs.read(rows)) events.set(id, parsed(json));
    return events;
  }

  async ruleSource(id: number): Promise<string | null> {
    return (await this.ruleSources([id])).get(id) ?? null;
  }

  async ruleSources(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await this.#db
      .select({
        id: findings.id,
        source: sql<string | null>`coalesce(${findings.ruleSource}, ${ruleSources.source})`,
      })
      .from(findings)
      .leftJoin(ruleSources, eq(ruleSources.id, findings.ruleSourceId))
      .where(among(ids));
    return new Map(rows.flatMap(({ id, source }) => (source === null ? [] : [[id, source] as const])));
  }

  /** Of the findings of a job that have events, in the order of their packs. */
  async #placesOf(jobId: number, wanted?: SQL): Promise<readonly FindingPlace[]> {
    return this.#places()
      .where(and(eq(findings.jobId, jobId), or(gt(findings.eventsKept, 0), isNotNull(findings.parts)), wanted))
      .orderBy(asc(findings.id));
  }

  #places() {
    return this.#db
      .select(places)
      .from(findings)
      .leftJoin(eventPacks, eq(eventPacks.taskResultId, findings.taskResultId))
      .leftJoin(findingEvents, eq(findingEvents.findingId, findings.id))
      .$dynamic();
  }
}

function among(ids: readonly number[]): SQL {
  return sql`${findings.id} in (select json_array_elements_text(${JSON.stringify(ids)}::json)::int)`;
}

/** A row that says how its job's file is called. */
function named<R extends { readonly submittedName: string | null; readonly sha256: string }>({
  submittedName,
  sha256,
  ...row
}: R): Omit<R, 'submittedName' | 'sha256'> & { readonly fileName: string } {
  return { ...row, fileName: submittedName ?? fallbackName(sha256) };
}
