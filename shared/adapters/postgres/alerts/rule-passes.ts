import type { RecordedMatch, RuleInForce, RulePasses, RuleRun } from '@svc/application/alerts/rule-passes.ts';
import type { AlertRuleScope, EntityType } from '@svc/domain';
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { intelVersion } from '../intel/intel-repository.ts';
import { rowsOf } from '../rows-of.ts';
import {
  accounts,
  alertRules,
  entities,
  entityAlerts,
  jobAlerts,
  jobsAwaitingRules,
  taskDerivations,
} from '../schema/index.ts';
import { alertRuleOf } from './alert-rule-rows.ts';

export class PgRulePasses implements RulePasses {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async await(jobId: number): Promise<void> {
    await this.#db.insert(jobsAwaitingRules).values({ jobId }).onConflictDoNothing();
  }

  async awaited(jobIds: readonly number[]): Promise<Set<number>> {
    const { jobId } = jobsAwaitingRules;
    const rows = await this.#db
      .select({ jobId })
      .from(jobsAwaitingRules)
      .where(sql`${jobId} = any(${anArray('integer', jobIds)})`);
    return new Set(rows.map((row) => row.jobId));
  }

  async begin(jobId: number): Promise<boolean> {
    const begun = await rowsOf(
      this.#db,
      sql`delete from ${jobsAwaitingRules} where job_id = ${jobId} and not exists (
            select from ${taskDerivations} where job_id = ${jobId} and intel_version < ${intelVersion})
          returning job_id`,
    );
    return begun.length > 0;
  }

  async inForce({
    scope,
    types,
    shared,
    limit,
  }: {
    readonly scope: AlertRuleScope;
    readonly types: readonly EntityType[] | null;
    readonly shared: 'with' | 'without' | 'only';
    readonly limit: number;
  }): Promise<RuleInForce[]> {
    const rows = await this.#db
      .select({
        rule: alertRules,
        owner: { email: accounts.email, role: accounts.role, isActive: accounts.isActive },
        starred: { type: entities.type, value: entities.value },
      })
      .from(alertRules)
      .leftJoin(accounts, eq(accounts.id, alertRules.ownerId))
      .leftJoin(entities, eq(entities.id, alertRules.autoEntityId))
      .where(
        and(
          eq(alertRules.scope, scope),
          eq(alertRules.enabled, true),
          types === null
            ? undefined
            : sql`(${alertRules.entityTypes} = '{}' or ${alertRules.entityTypes} && ${anArray('text', types)})`,
          shared === 'with' ? undefined : (shared === 'only' ? isNull : isNotNull)(alertRules.ownerId),
        ),
      )
      .orderBy(asc(alertRules.createdAt), asc(alertRules.id))
      .limit(limit);
    return rows.map(({ rule, owner, starred }) => ({ ...alertRuleOf(rule), owner, starred }));
  }

  async recordEntities(
    matches: readonly (RecordedMatch & { readonly entityIds: readonly number[] })[],
  ): Promise<Map<number, number>> {
    if (matches.length === 0) return new Map();
    const each = matches.flatMap(({ entityIds, ...match }) => entityIds.map((entityId) => ({ ...match, entityId })));
    const given = unnested(
      ['integer', each.map(({ ruleId }) => ruleId)],
      ['integer', each.map(({ entityId }) => entityId)],
      ['integer', each.map(({ jobId }) => jobId)],
      ['timestamptz', each.map(({ at }) => at.toISOString())],
      ['boolean', each.map(({ isAlert }) => isAlert)],
    );
    const ruleIds = anArray(
      'integer',
      matches.map(({ ruleId }) => ruleId),
    );
    // Of rules that are there, and stay until this is committed.
    const rows = await rowsOf<{ rule: number; count: number }>(
      this.#db,
      sql`
      with rule as materialized (
        select id from ${alertRules} where id = any(${ruleIds}) order by id for key share),
      made as (
        insert into ${entityAlerts} (rule_id, entity_id, job_id, created_at, acknowledged_at)
        select rule.id, given.entity, given.job, given.at, case when not given.alert then given.at end
        from ${given} with ordinality as given(rule, entity, job, at, alert, nth) join rule on rule.id = given.rule
        order by given.nth
        on conflict do nothing returning rule_id)
      select rule_id as rule, count(*)::integer as count from made group by rule_id`,
    );
    return new Map(rows.map(({ rule, count }) => [rule, count]));
  }

  async recordJob({ ruleId, jobId, at, isAlert }: RecordedMatch): Promise<boolean> {
    const when = sql`${at.toISOString()}::timestamptz`;
    const rows = await rowsOf(
      this.#db,
      sql`insert into ${jobAlerts} (rule_id, job_id, created_at, acknowledged_at)
          select id, ${jobId}::integer, ${when}, ${isAlert ? sql`null` : when}
          from ${alertRules} where id = ${ruleId} for key share
          on conflict do nothing returning id`,
    );
    return rows.length > 0;
  }

  async note(runs: readonly RuleRun[], at: Date): Promise<void> {
    if (runs.length === 0) return;
    const when = sql`${at.toISOString()}::timestamptz`;
    const given = unnested(
      ['integer', runs.map(({ ruleId }) => ruleId)],
      ['boolean', runs.map(({ hasMatched }) => hasMatched)],
      ['boolean', runs.map(({ isTruncated }) => isTruncated)],
      ['integer', runs.map(({ newAlerts }) => newAlerts)],
    );
    // That a rule has run and matched nothing is noted every ten seconds at most, so that passes over jobs that end
    // together do not wait for each other. Locked in one order.
    await this.#db.execute(sql`
      with run as materialized (
        select r.id, given.matched, given.truncated, given.alerts
        from ${given} as given(id, matched, truncated, alerts) join ${alertRules} r on r.id = given.id
        where given.matched or r.last_evaluated_at is null or r.last_evaluated_at < ${when} - interval '10 seconds'
        order by r.id for no key update of r)
      update ${alertRules} set
        last_evaluated_at = greatest(last_evaluated_at, ${when}),
        last_matched_at = case when run.matched then greatest(last_matched_at, ${when}) else last_matched_at end,
        last_truncated_at = case when run.truncated then greatest(last_truncated_at, ${when}) else last_truncated_at end,
        match_count = match_count + run.alerts
      from run where ${alertRules}.id = run.id`);
  }
}
