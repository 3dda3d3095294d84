import type {
  CorrelatedFinding,
  FindingPage,
  FindingRepository,
  FiredRule,
  MatchedRule,
} from '@svc/application/report/finding-repository.ts';
import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { fallbackName, severities, type Actor, type Finding, type Severity } from '@svc/domain';
import { and, asc, count, desc, eq, exists, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { findingEvents, findings, jobs, taskResults, uploadedFiles } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { visibleTo } from '../visible.ts';

/** Everything of a finding but what is large. */
const columns = {
  id: findings.id,
  jobId: findings.jobId,
  taskResultId: findings.taskResultId,
  engine: taskResults.engine,
  ruleId: findings.ruleId,
  ruleName: findings.ruleName,
  ruleAuthor: findings.ruleAuthor,
  severity: findings.severity,
  count: findings.count,
  tags: findings.tags,
  firstSeen: findings.firstSeen,
  lastSeen: findings.lastSeen,
  hosts: findings.hosts,
  hasEvents: sql<boolean>`${findings.eventsKept} > 0`,
  hasRule: sql<boolean>`${findings.ruleSource} is not null`,
};

/** The sample events of a finding. */
const sampleEvents = sql<
  readonly StoredEvent[] | null
>`coalesce(${findingEvents.inOrder}, ${findingEvents.events}::json)`;

/** Of equal ones those of the first task come first, whichever task was done first. */
export const worstFirst = [
  asc(findings.severityRank),
  desc(findings.count),
  asc(findings.taskResultId),
  asc(findings.id),
];

export class PgFindingRepository implements FindingRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(
    jobId: number,
    { severity, page, per }: { severity: Severity | null; page: number; per: number },
  ): Promise<FindingPage> {
    const wanted = and(eq(findings.jobId, jobId), severity === null ? undefined : eq(findings.severity, severity));
    const [counted] = await this.#db.select({ total: count() }).from(findings).where(wanted);
    const total = counted?.total ?? 0;
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const rows = await this.#db
      .select(columns)
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
      .select({ tags: findings.tags, count: findings.count })
      .from(findings)
      .where(eq(findings.jobId, jobId));
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

  async withEvents(jobId: number): Promise<readonly (Finding & { readonly events: readonly StoredEvent[] })[]> {
    const rows = await this.#db
      .select({ ...columns, events: sampleEvents })
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .leftJoin(findingEvents, eq(findingEvents.findingId, findings.id))
      .where(eq(findings.jobId, jobId))
      .orderBy(...worstFirst);
    return rows.map((row) => Object.assign(row, { events: row.events ?? [] }));
  }

  async withEventText(jobId: number, text: string): Promise<{ id: number; events: readonly StoredEvent[] }[]> {
    // As JSON writes it.
    const written = JSON.stringify(storableText(text)).slice(1, -1);
    const pattern = `%${written.replace(/[\\%_]/g, String.raw`\$&`)}%`;
    const rows = await this.#db
      .select({ id: findings.id, events: sampleEvents })
      .from(findings)
      .innerJoin(findingEvents, eq(findingEvents.findingId, findings.id))
      .where(and(eq(findings.jobId, jobId), sql`${sampleEvents}::text ilike ${pattern}`))
      .orderBy(asc(findings.id));
    return rows.map(({ id, events }) => ({ id, events: events ?? [] }));
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
    const rows = await this.#db
      .select({ events: sampleEvents })
      .from(counted)
      .innerJoin(findingEvents, eq(findingEvents.findingId, counted.id))
      .where(lt(counted.before, most))
      .orderBy(asc(counted.place));
    return rows.flatMap(({ events }) => events ?? []);
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
      .where(inArray(findings.jobId, [...jobIds]))
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
      .select({
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
      .orderBy(desc(findings.jobId))
      .limit(limit);
    return rows.map(named);
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
      .select(columns)
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .innerJoin(jobs, eq(jobs.id, findings.jobId))
      .where(and(eq(findings.id, id), viewer === null ? undefined : visibleTo(viewer)));
    return row ?? null;
  }

  async events(id: number): Promise<readonly StoredEvent[]> {
    const [row] = await this.#db
      .select({ events: sampleEvents })
      .from(findingEvents)
      .where(eq(findingEvents.findingId, id));
    return row?.events ?? [];
  }

  async ruleSource(id: number): Promise<string | null> {
    const [row] = await this.#db.select({ source: findings.ruleSource }).from(findings).where(eq(findings.id, id));
    return row?.source ?? null;
  }
}

/** A row that says how its job's file is called. */
function named<R extends { readonly submittedName: string | null; readonly sha256: string }>({
  submittedName,
  sha256,
  ...row
}: R): Omit<R, 'submittedName' | 'sha256'> & { readonly fileName: string } {
  return { ...row, fileName: submittedName ?? fallbackName(sha256) };
}
