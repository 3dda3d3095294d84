import type { EntityLinks, NamingFinding } from '@svc/application/intel/entity-links.ts';
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { counting, listedAs } from '../report/finding-columns.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityFindings, findings, taskResults } from '../schema/index.ts';
import { placed } from './placed.ts';

/** What is shown of a finding beside entities. */
export const shownColumns = {
  id: findings.id,
  jobId: findings.jobId,
  ruleId: findings.ruleId,
  ruleName: findings.ruleName,
  severity: findings.severity,
  count: findings.count,
  suppressed: findings.suppressed,
  tool: taskResults.engine,
  eventsKept: findings.eventsKept,
};

/** Findings of a job, with what each and those that it stands for name. */
export async function findingsOfJob(
  db: Database,
  jobId: number,
  { severity, entityId, most, ...part }: Parameters<EntityLinks['ofJob']>[1],
): ReturnType<EntityLinks['ofJob']> {
  const where = and(
    eq(findings.jobId, jobId),
    counting,
    severity === null ? undefined : eq(findings.severity, severity),
    entityId === null ? undefined : sql`${findings.id} in (${naming(jobId, entityId)})`,
  );
  const [counted] = await db.select({ many: count() }).from(findings).where(where);
  const { page, offset, total } = placed(part, counted?.many);
  const rows = await db
    .select(shownColumns)
    .from(findings)
    .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
    .where(where)
    .orderBy(asc(findings.severityRank), asc(findings.ruleName), asc(findings.id))
    .limit(part.per)
    .offset(offset);
  const named = await namedBy(
    db,
    jobId,
    rows.map(({ id }) => id),
    most,
  );
  const shown = rows.map(({ eventsKept, ...row }): NamingFinding => {
    const own = named.filter(({ finding }) => finding === row.id);
    const entitiesOf = own.map(({ id, value, type, jobCount }) => ({ id, value, type, jobCount }));
    return { ...row, hasDetails: eventsKept > 0, named: entitiesOf, totalNamed: own[0]?.total ?? 0 };
  });
  return { page, total, findings: shown };
}

interface NamedRow {
  readonly finding: number;
  readonly id: number;
  readonly value: string;
  readonly type: NamingFinding['named'][number]['type'];
  readonly jobCount: number;
  /** Of all that the finding names. */
  readonly total: number;
}

async function namedBy(db: Database, jobId: number, ids: readonly number[], most: number): Promise<NamedRow[]> {
  if (ids.length === 0) return [];
  return rowsOf<NamedRow>(
    db,
    sql`
      select finding, id, value, type, job_count as "jobCount", total::integer
      from (
        select linked.finding, ${entities.id}, ${entities.value}, ${entities.type}, ${entities.jobCount},
          count(*) over (partition by linked.finding) as total,
          row_number() over (partition by linked.finding order by ${entities.jobCount} desc, ${entities.id}) as place
        from (
          select distinct ${listedAs} as finding, ${entityFindings.entityId} as entity
          from ${findings} join ${entityFindings} on ${entityFindings.findingId} = ${findings.id}
          where ${findings.jobId} = ${jobId} and ${listedAs} = any(${anArray('integer', ids)})
        ) linked join ${entities} on ${entities.id} = linked.entity
      ) ranked
      where place <= ${most}
      order by finding, place`,
  );
}

/** Findings of a job that name something, themselves or by one that they stand for. */
function naming(jobId: number, entityId: number): SQL {
  return sql`
    select ${listedAs} from ${findings} join ${entityFindings} on ${entityFindings.findingId} = ${findings.id}
    where ${entityFindings.entityId} = ${entityId} and ${entityFindings.jobId} = ${jobId}`;
}
