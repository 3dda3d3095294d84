import type {
  Backtest,
  BacktestMatch,
  NewBacktest,
  RulePlan,
  RuleTrials,
  TrialMatch,
  TrialRange,
} from '@svc/application/alerts/rule-trials.ts';
import type { Actor } from '@svc/domain';
import { and, count, desc, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { searchCondition } from '../intel/search-condition.ts';
import { alertRuleBacktestMatches, alertRuleBacktests, entities, entityJobLinks, jobs } from '../schema/index.ts';
import { searchConditions } from '../search/condition.ts';
import { vocabularyFor } from '../search/vocabulary.ts';
import { visibleTo } from '../visible.ts';

/** Entities that are named of a job. */
const mostNamed = 20;
const hasResult = inArray(jobs.status, ['completed', 'partial']);

export class PgRuleTrials implements RuleTrials {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async recentJobs(viewer: Actor, limit: number): Promise<number[]> {
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(hasResult, visibleTo(viewer)))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async jobsOf(viewer: Actor, range: TrialRange, limit: number): Promise<number[]> {
    const { below } = range;
    const rows = await this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(ofRange(viewer, range), below === null ? undefined : lt(jobs.id, below)))
      .orderBy(desc(jobs.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async countJobs(viewer: Actor, range: Omit<TrialRange, 'below'>): Promise<number> {
    return this.#db.$count(jobs, ofRange(viewer, range));
  }

  async matches(viewer: Actor, plan: RulePlan, jobIds: readonly number[]): Promise<TrialMatch[]> {
    if (jobIds.length === 0) return [];
    if (plan.scope === 'job') {
      const vocabulary = await vocabularyFor(this.#db, plan.search);
      const context = { db: this.#db, viewer, now: plan.search.now, vocabulary };
      const { during, where } = searchConditions(context, plan.search);
      const rows = await this.#db
        .select({ jobId: jobs.id })
        .from(jobs)
        .where(and(anyOf(sql`${jobs.id}`, jobIds), during, where))
        .orderBy(desc(jobs.id));
      return rows.map(({ jobId }) => ({ jobId, matches: 1, entityIds: [] }));
    }
    const condition = await searchCondition(this.#db, viewer, plan.search);
    const jobId = entityJobLinks.jobId;
    return this.#db
      .select({
        jobId,
        matches: count(),
        entityIds: sql<number[]>`(array_agg(${entities.id} order by ${entities.id}))[1:${sql.raw(String(mostNamed))}]`,
      })
      .from(entityJobLinks)
      .innerJoin(entities, eq(entities.id, entityJobLinks.entityId))
      .innerJoin(jobs, eq(jobs.id, jobId))
      .where(and(anyOf(sql`${jobId}`, jobIds), visibleTo(viewer), condition))
      .groupBy(jobId)
      .orderBy(desc(jobId));
  }

  async begin({ entityTypes, ...backtest }: NewBacktest, most: number): Promise<number> {
    const [row] = await this.#db
      .insert(alertRuleBacktests)
      .values({ ...backtest, entityTypes: [...entityTypes] })
      .returning({ id: alertRuleBacktests.id });
    const kept = this.#db
      .select({ id: alertRuleBacktests.id })
      .from(alertRuleBacktests)
      .where(eq(alertRuleBacktests.accountId, backtest.accountId))
      .orderBy(desc(alertRuleBacktests.id))
      .limit(most);
    await this.#db
      .delete(alertRuleBacktests)
      .where(and(eq(alertRuleBacktests.accountId, backtest.accountId), sql`${alertRuleBacktests.id} not in ${kept}`));
    return row!.id;
  }

  async get(id: number): Promise<Backtest | null> {
    const [row] = await this.#db.select().from(alertRuleBacktests).where(eq(alertRuleBacktests.id, id));
    return row ?? null;
  }

  async backtestsOf(accountId: string): Promise<Backtest[]> {
    return this.#db
      .select()
      .from(alertRuleBacktests)
      .where(eq(alertRuleBacktests.accountId, accountId))
      .orderBy(desc(alertRuleBacktests.id));
  }

  async record(
    { id, lastJobId: before }: Pick<Backtest, 'id' | 'lastJobId'>,
    looked: { readonly jobs: number; readonly lastJobId: number; readonly found: readonly TrialMatch[] },
  ): Promise<number> {
    return this.#db.transaction(async (tx) => {
      const last = alertRuleBacktests.lastJobId;
      const moved = await tx
        .update(alertRuleBacktests)
        .set({ lastJobId: looked.lastJobId, jobsDone: sql`${alertRuleBacktests.jobsDone} + ${looked.jobs}` })
        .where(and(eq(alertRuleBacktests.id, id), before === null ? isNull(last) : eq(last, before)))
        .returning({ id: alertRuleBacktests.id });
      if (moved.length > 0 && looked.found.length > 0) {
        const { found } = looked;
        // A job may have gone meanwhile; lists of numbers travel as text, since arrays of arrays must be of one length.
        await tx.execute(sql`
          insert into ${alertRuleBacktestMatches} (backtest_id, job_id, matches, entity_ids)
          select ${id}::integer, g.job_id, g.matches, g.entity_ids::integer[]
          from ${unnested(
            ['integer', found.map(({ jobId }) => jobId)],
            ['integer', found.map(({ matches }) => matches)],
            ['text', found.map(({ entityIds }) => `{${entityIds.join(',')}}`)],
          )} as g (job_id, matches, entity_ids)
          where exists (select 1 from ${jobs} j where j.id = g.job_id)
          on conflict do nothing`);
      }
      return tx.$count(alertRuleBacktestMatches, eq(alertRuleBacktestMatches.backtestId, id));
    });
  }

  async found(
    viewer: Actor,
    backtestId: number,
    { page, per }: { readonly page: number; readonly per: number },
  ): Promise<{ jobs: number; matches: number; found: BacktestMatch[] }> {
    const of = and(eq(alertRuleBacktestMatches.backtestId, backtestId), visibleTo(viewer));
    const [total] = await this.#db
      .select({ jobs: count(), matches: sql<number>`coalesce(sum(${alertRuleBacktestMatches.matches}), 0)::integer` })
      .from(alertRuleBacktestMatches)
      .innerJoin(jobs, eq(jobs.id, alertRuleBacktestMatches.jobId))
      .where(of);
    const rows = await this.#db
      .select({
        jobId: jobs.id,
        matches: alertRuleBacktestMatches.matches,
        entityIds: alertRuleBacktestMatches.entityIds,
      })
      .from(alertRuleBacktestMatches)
      .innerJoin(jobs, eq(jobs.id, alertRuleBacktestMatches.jobId))
      .where(of)
      .orderBy(desc(jobs.id))
      .limit(per)
      .offset((page - 1) * per);
    const named = await this.#db
      .select({ id: entities.id, type: entities.type, value: entities.value })
      .from(entities)
      .where(anyOf(sql`${entities.id}`, [...new Set(rows.flatMap(({ entityIds }) => entityIds))]));
    const byId = new Map(named.map((entity) => [entity.id, entity]));
    const found = rows.map(({ jobId, matches, entityIds }) => ({
      jobId,
      matches,
      entities: entityIds.flatMap((id) => byId.get(id) ?? []),
    }));
    return { jobs: total?.jobs ?? 0, matches: total?.matches ?? 0, found };
  }
}

function ofRange(viewer: Actor, { since, until }: Omit<TrialRange, 'below'>): SQL | undefined {
  return and(gte(jobs.createdAt, since), lt(jobs.createdAt, until), hasResult, visibleTo(viewer));
}

function anyOf(column: SQL, ids: readonly number[]): SQL {
  return sql`${column} = any(${anArray('integer', ids)})`;
}
