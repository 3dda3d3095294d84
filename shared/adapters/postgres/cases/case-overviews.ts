import type { CaseOverviews, CaseRollUp, EntityPivot, JobPivot } from '@svc/application/cases/case-overviews.ts';
import { severities, type Actor } from '@svc/domain';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { countingIn } from '../report/suppressed-findings.ts';
import { rowsOf } from '../rows-of.ts';
import { caseEntities, caseJobs, entities, entityJobLinks, findings, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgCaseOverviews implements CaseOverviews {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async rollUp(viewer: Actor, caseId: number, mostRules: number): Promise<CaseRollUp> {
    const members = sql`with members as materialized (${membersOf(viewer, caseId)})`;
    const ofMembers = sql`from ${findings} join members on members.job_id = ${findings.jobId} and ${countingIn(caseId)}`;
    const many = sql`count(*)::integer as findings, sum(${findings.count})::float8 as events`;
    const [counted] = await rowsOf<{ jobs: number }>(
      this.#db,
      sql`${members} select count(*)::integer as jobs from members`,
    );
    const bySeverity = await rowsOf<CaseRollUp['bySeverity'][number]>(
      this.#db,
      sql`${members} select ${findings.severity} as severity, ${many} ${ofMembers} group by 1`,
    );
    const rules = await rowsOf<CaseRollUp['rules'][number]>(
      this.#db,
      sql`${members} select ${findings.ruleName} as "ruleName", min(${findings.ruleId}) as "ruleId",
        (array_agg(${findings.severity} order by ${findings.severityRank}))[1] as severity,
        sum(${findings.count})::float8 as events, count(distinct ${findings.jobId})::integer as jobs ${ofMembers}
        group by ${findings.ruleName} order by min(${findings.severityRank}), events desc, 1 limit ${mostRules}`,
    );
    const byTags = await rowsOf<CaseRollUp['byTags'][number]>(
      this.#db,
      sql`${members} select ${findings.tags} as tags, ${many} ${ofMembers} group by 1`,
    );
    const inOrder = severities.flatMap((severity) => bySeverity.find((one) => one.severity === severity) ?? []);
    return { jobs: counted?.jobs ?? 0, bySeverity: inOrder, rules, byTags };
  }

  entities(viewer: Actor, caseId: number, limit: number): Promise<EntityPivot[]> {
    return rowsOf(
      this.#db,
      sql`with members as materialized (${membersOf(viewer, caseId)})
        select ${entities.id} as id, ${entities.value} as value, ${entities.type} as type, named.occurrences, named.jobs from (
          select entity_id, sum(occurrence_count)::float8 as occurrences, count(*)::integer as jobs
          from ${entityJobLinks} join members using (job_id)
          where not exists (select from ${caseEntities} where ${caseEntities.caseId} = ${caseId}::integer and ${caseEntities.entityId} = ${entityJobLinks.entityId})
          group by entity_id
        ) as named join ${entities} on ${entities.id} = named.entity_id
        where not ${entities.isAllowlisted}
        order by named.occurrences desc, named.jobs desc, ${entities.id} limit ${limit}`,
    );
  }

  correlated(
    viewer: Actor,
    caseId: number,
    most: { readonly rules: number; readonly jobs: number },
  ): Promise<JobPivot[]> {
    return rowsOf(
      this.#db,
      sql`with members as materialized (${membersOf(viewer, caseId)}),
        worst as materialized (
          select ${findings.ruleSignature} as signature, min(${findings.ruleName}) as rule_name, min(${findings.severityRank}) as severity_rank
          from ${findings} join members on members.job_id = ${findings.jobId} and ${countingIn(caseId)}
          group by 1 order by severity_rank, sum(${findings.count}) desc, 1 limit ${most.rules})
        select near.job_id as "jobId", (${severityNames})[min(worst.severity_rank) + 1] as severity,
          array_agg(distinct worst.rule_name) as rules
        from worst cross join lateral (
          select distinct ${findings.jobId} as job_id from ${findings} join ${jobs} on ${jobs.id} = ${findings.jobId}
          where ${findings.ruleSignature} = worst.signature and ${and(
            visibleTo(viewer),
            sql`not exists (
            select from ${caseJobs} where ${caseJobs.caseId} = ${caseId}::integer and ${caseJobs.jobId} = ${findings.jobId})`,
          )}
          order by 1 desc limit ${mostOfRule}
        ) as near
        group by 1 order by min(worst.severity_rank), count(distinct worst.signature) desc, 1 desc limit ${most.jobs}`,
    );
  }
}

/** Newest jobs that are looked at of each rule, some of which match in every log. */
const mostOfRule = 1000;

const severityNames = sql.raw(`array[${severities.map((severity) => `'${severity}'`).join(', ')}]`);

/** Jobs of a case that the viewer sees. */
function membersOf(viewer: Actor, caseId: number): SQL {
  const seen = and(eq(caseJobs.caseId, caseId), visibleTo(viewer));
  return sql`select ${caseJobs.jobId} as job_id from ${caseJobs} join ${jobs} on ${jobs.id} = ${caseJobs.jobId} where ${seen}`;
}
