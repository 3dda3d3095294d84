import type { CaseLists, CaseSearch, CaseSort, ListedCase } from '@svc/application/cases/case-lists.ts';
import type { ListCursor, ListPlace } from '@svc/application/jobs/job-lists.ts';
import { caseStatuses, hasRole, type Actor, type Case, type CaseLinkKind, type CaseStatus } from '@svc/domain';
import { and, asc, count, desc, eq, inArray, like, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { literally } from '../text.ts';
import { rowsOf } from '../rows-of.ts';
import { accounts, caseEntities, caseJobs, caseNameKey, cases, caseSeverityKey, jobs } from '../schema/index.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';
import { accountName, nameOf, severityOf, worstOf } from './case-columns.ts';

/** What a list is sorted by, as a number or a text, of all jobs and of those that are not private. */
interface Key {
  readonly ofAll: SQL;
  readonly ofShared: SQL;
  /** Of both those and the viewer’s own private ones, which `own` sums up; null where it has nothing to do with jobs. */
  readonly summed: SQL | null;
  readonly isLowestFirst: boolean;
  readonly written: (key: SQL) => SQL;
  readonly read: (key: string | number) => SQL;
}

const number = {
  written: (key: SQL) => sql`${key}::float8`,
  read: (key: string | number) => sql`${Number(key)}::bigint`,
};
const ownFindings = sql`(${cases.sharedFindings} + own.findings)`;
const keys: Readonly<Record<CaseSort, Key>> = {
  updated: {
    ofAll: sql`${cases.updatedAt}`,
    ofShared: sql`${cases.updatedAt}`,
    summed: null,
    isLowestFirst: false,
    written: (key) => sql`(extract(epoch from ${key}) * 1000)::float8`,
    read: (key) => sql`${new Date(Number(key)).toISOString()}::timestamptz`,
  },
  name: {
    ofAll: caseNameKey(cases),
    ofShared: caseNameKey(cases),
    summed: null,
    isLowestFirst: true,
    written: (key) => key,
    read: (key) => sql`${String(key)}::text collate "C"`,
  },
  findings: {
    ofAll: sql`${cases.findings}`,
    ofShared: sql`${cases.sharedFindings}`,
    summed: ownFindings,
    isLowestFirst: false,
    ...number,
  },
  severity: {
    ofAll: caseSeverityKey(cases.worst, cases.findings),
    ofShared: caseSeverityKey(cases.sharedWorst, cases.sharedFindings),
    summed: caseSeverityKey(sql`greatest(${cases.sharedWorst}, own.worst)`, ownFindings),
    isLowestFirst: false,
    ...number,
  },
};

interface Row {
  readonly id: number;
  readonly key: string | number;
}

export class PgCaseLists implements CaseLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(
    viewer: Actor,
    search: CaseSearch,
    { page, per, cursor = null }: ListPlace,
    sort: CaseSort,
  ): ReturnType<CaseLists['page']> {
    const key = keys[sort];
    const isBackwards = cursor?.side === 'newer';
    const offset = cursor === null ? (page - 1) * per : 0;
    const where = and(caseVisibleTo(viewer), inArray(cases.status, [...search.statuses]), named(search.text));
    const isLowestFirst = key.isLowestFirst !== isBackwards;
    const by = (one: SQL): SQL =>
      sql`${isLowestFirst ? asc(one) : desc(one)}, ${isBackwards ? asc(sql`id`) : desc(sql`id`)}`;
    const beyond = (one: SQL): SQL | undefined => {
      if (cursor === null) return undefined;
      const at = key.read(cursor.key);
      const after = sql.raw(isLowestFirst ? '>' : '<');
      const afterId = sql.raw(isBackwards ? '>' : '<');
      return sql`(${one} ${after} ${at} or (${one} = ${at} and ${cases.id} ${afterId} ${cursor.id}::integer))`;
    };
    const limited = sql`limit ${per + 1 + offset}`;
    const rowsBy = (one: SQL, further?: SQL): SQL =>
      sql`(select ${cases.id} as id, ${one} as key from ${cases} where ${and(where, further, beyond(one)) ?? sql`true`}
        order by ${by(one)} ${limited})`;
    const rows = await rowsOf<Row>(
      this.#db,
      sql`${this.#ownSums(viewer, key)} select id, ${key.written(sql`key`)} as key from (${this.#parts(viewer, key, rowsBy, { where, beyond, by, limited })}) as found
        order by ${by(sql`key`)} limit ${per + 1} offset ${offset}`,
    );
    const hasMore = rows.length > per;
    const shown = rows.slice(0, per);
    if (isBackwards) shown.reverse();
    const [first, last] = [shown[0], shown.at(-1)];
    const isFirst = cursor === null ? page === 1 : isBackwards && !hasMore;
    const isLast = !isBackwards && !hasMore;
    return {
      page,
      newer: first === undefined || isFirst ? null : cursorAt('newer', first),
      older: last === undefined || isLast ? null : cursorAt('older', last),
      cases: await this.#listed(
        viewer,
        shown.map(({ id }) => id),
      ),
    };
  }

  /** Of cases with private jobs of the viewer’s, who alone sees these: what those have found. */
  #ownSums(viewer: Actor, { summed }: Key): SQL {
    if (summed === null || viewer.kind === 'anonymous' || hasRole(viewer, 'admin')) return sql``;
    return sql`with own as materialized (
      select ${caseJobs.caseId} as case_id, sum(${jobs.totalFindings})::bigint as findings, max(${worstOf(jobs.severitySummary)}) as worst
      from ${caseJobs} join ${jobs} on ${jobs.id} = ${caseJobs.jobId}
      where ${jobs.submittedBy} = ${viewer.userId} and ${jobs.isPrivate}
      group by ${caseJobs.caseId})`;
  }

  #parts(
    viewer: Actor,
    key: Key,
    rowsBy: (one: SQL, further?: SQL) => SQL,
    {
      where,
      beyond,
      by,
      limited,
    }: { where: SQL | undefined; beyond: (one: SQL) => SQL | undefined; by: (one: SQL) => SQL; limited: SQL },
  ): SQL {
    if (key.summed === null || hasRole(viewer, 'admin')) return rowsBy(key.ofAll);
    const own = sql`(select ${cases.id} as id, ${key.summed} as key from own join ${cases} on ${cases.id} = own.case_id
      where ${and(where, beyond(key.summed)) ?? sql`true`} order by ${by(sql`key`)} ${limited})`;
    return sql`${rowsBy(key.ofShared, sql`not exists (select from own where own.case_id = ${cases.id})`)} union all ${own}`;
  }

  async counts(viewer: Actor, text: string): Promise<Record<CaseStatus, number>> {
    const rows = await this.#db
      .select({ status: cases.status, many: count() })
      .from(cases)
      .where(and(caseVisibleTo(viewer), named(text)))
      .groupBy(cases.status);
    const many = new Map(rows.map((row) => [row.status, row.many]));
    return Object.fromEntries(caseStatuses.map((status) => [status, many.get(status) ?? 0])) as Record<
      CaseStatus,
      number
    >;
  }

  async #listed(viewer: Actor, ids: readonly number[]): Promise<ListedCase[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db
      .select({
        id: cases.id,
        name: cases.name,
        status: cases.status,
        severity: cases.severity,
        ownerId: cases.ownerId,
        isShared: cases.isShared,
        createdAt: cases.createdAt,
        updatedAt: cases.updatedAt,
        closedAt: cases.closedAt,
        owner: accountName,
        entities: sql<number>`(select count(*)::integer from ${caseEntities} where ${caseEntities.caseId} = ${cases.id})`,
      })
      .from(cases)
      .leftJoin(accounts, eq(accounts.id, cases.ownerId))
      .where(inArray(cases.id, [...ids]));
    const sums = await this.#db
      .select({
        caseId: caseJobs.caseId,
        jobs: count(),
        matches: sql<number>`sum(${jobs.totalFindings})::float8`,
        worst: sql<number>`max(${worstOf(jobs.severitySummary)})::integer`,
      })
      .from(caseJobs)
      .innerJoin(jobs, eq(jobs.id, caseJobs.jobId))
      .where(and(inArray(caseJobs.caseId, [...ids]), visibleTo(viewer)))
      .groupBy(caseJobs.caseId);
    const sumOf = new Map(sums.map((sum) => [sum.caseId, sum]));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = found.get(id);
      if (row === undefined) return [];
      const sum = sumOf.get(id);
      return [
        {
          ...row,
          owner: nameOf(row.owner),
          jobs: sum?.jobs ?? 0,
          matches: sum?.matches ?? 0,
          worst: severityOf(sum?.worst ?? 0),
        },
      ];
    });
  }

  async holding(
    viewer: Actor,
    { kind, id }: { readonly kind: CaseLinkKind; readonly id: number },
    limit: number,
  ): Promise<Pick<Case, 'id' | 'name' | 'status'>[]> {
    const links = kind === 'entity' ? caseEntities : caseJobs;
    const target = kind === 'entity' ? caseEntities.entityId : caseJobs.jobId;
    return this.#db
      .select({ id: cases.id, name: cases.name, status: cases.status })
      .from(links)
      .innerJoin(cases, eq(cases.id, links.caseId))
      .where(and(eq(target, id), caseVisibleTo(viewer)))
      .orderBy(desc(cases.updatedAt), desc(cases.id))
      .limit(limit);
  }
}

function named(text: string): SQL | undefined {
  return text === '' ? undefined : like(caseNameKey(cases), `%${literally(text.toLowerCase())}%`);
}

function cursorAt(side: ListCursor['side'], { key, id }: Row): ListCursor {
  return { side, key, id };
}
