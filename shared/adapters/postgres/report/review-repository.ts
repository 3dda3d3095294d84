import type { ReviewChange, ReviewRepository } from '@svc/application/report/review-repository.ts';
import { longestHost, publicName, type FindingReview } from '@svc/domain';
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { counting, standing } from './finding-columns.ts';
import { accounts, findingReviews, findings, jobs, rememberedReviews } from '../schema/index.ts';
import { storableText } from '../text.ts';

type NamedAccount = { readonly id: string; readonly email: string; readonly displayName: string | null };

export class PgReviewRepository implements ReviewRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async ofJob(jobId: number, findingIds?: readonly number[]): Promise<readonly FindingReview[]> {
    const reviewer = alias(accounts, 'reviewer');
    const rows = await this.#db
      .select({
        findingId: findings.id,
        state: findingReviews.state,
        note: findingReviews.note,
        at: findingReviews.reviewedAt,
        isRemembered: findingReviews.isRemembered,
        isFromEarlier: findingReviews.isFromEarlier,
        assignee: { id: accounts.id, email: accounts.email, displayName: accounts.displayName },
        by: { id: reviewer.id, email: reviewer.email, displayName: reviewer.displayName },
      })
      .from(findingReviews)
      .innerJoin(findings, and(eq(findings.jobId, jobId), eq(findings.ruleSignature, findingReviews.ruleSignature)))
      .leftJoin(accounts, eq(accounts.id, findingReviews.assigneeId))
      .leftJoin(reviewer, eq(reviewer.id, findingReviews.reviewedBy))
      .where(
        and(
          eq(findingReviews.jobId, jobId),
          findingIds === undefined ? undefined : inArray(findings.id, [...findingIds]),
        ),
      )
      .orderBy(asc(findings.id));
    return rows.map((row) => ({ ...row, assignee: named(row.assignee), by: named(row.by) }));
  }

  async set({ jobId, findingIds, state, note, assigneeId, remember, by, at }: ReviewChange): Promise<void> {
    const wanted = await this.#db
      .selectDistinct({ signature: findings.ruleSignature })
      .from(findings)
      .where(and(eq(findings.jobId, jobId), inArray(findings.id, [...findingIds])));
    const signatures = wanted.map(({ signature }) => signature).sort();
    if (signatures.length === 0) return;
    const kept = note === undefined ? undefined : storableText(note);
    const isRemembered = remember && state !== undefined && state !== 'new';
    const held = isRemembered ? await this.#nameable(jobId, signatures) : new Set<string>();
    const rows = signatures.map((ruleSignature) => ({
      jobId,
      ruleSignature,
      state: state ?? ('new' as const),
      note: kept ?? '',
      assigneeId: assigneeId ?? null,
      reviewedBy: by,
      reviewedAt: at,
      isRemembered: held.has(ruleSignature),
      isFromEarlier: false,
    }));
    await insertRows(this.#db, findingReviews, rows).onConflictDoUpdate({
      target: [findingReviews.jobId, findingReviews.ruleSignature],
      set: {
        reviewedBy: by,
        reviewedAt: at,
        ...(state !== undefined && { state, isRemembered: sql`excluded.is_remembered`, isFromEarlier: false }),
        ...(kept !== undefined && { note: kept }),
        ...(assigneeId !== undefined && { assigneeId }),
      },
    });
    if (state !== undefined) {
      await this.#forget(by, jobId, signatures);
      if (held.size > 0) await this.#remember(by, jobId, [...held], at);
    }
    await this.recount(jobId);
  }

  async applyRemembered(jobId: number, at: Date): Promise<void> {
    await this.#db.execute(sql`
      with job as (select id, submitted_by, is_private from ${jobs} where id = ${jobId} and submitted_by is not null),
      known as (
        select distinct on (rule_signature, host) rule_signature, host, state, note, at
        from ${rememberedReviews}, job
        where owner_id = job.submitted_by and (job.is_private or not ${rememberedReviews.isPrivate})
        order by rule_signature, host, at desc
      ),
      asked as (
        select distinct rule_signature, lower(host) as host
        from ${findings}, jsonb_array_elements_text(hosts) as host
        where job_id = ${jobId} and ${standing} and rule_signature in (select rule_signature from known)
      )
      insert into ${findingReviews}
        (job_id, rule_signature, state, note, reviewed_by, reviewed_at, is_remembered, is_from_earlier)
      select job.id, asked.rule_signature, min(known.state), (array_agg(known.note order by known.at desc))[1],
        job.submitted_by, ${at.toISOString()}::timestamptz, true, true
      from job, asked left join known using (rule_signature, host)
      where not exists (
        select from ${findings}
        where job_id = ${jobId} and ${standing} and rule_signature = asked.rule_signature and coalesce(hosts, '[]') = '[]')
      group by job.id, job.submitted_by, asked.rule_signature
      having count(*) = count(known.state) and count(distinct known.state) = 1
      on conflict do nothing`);
    await this.recount(jobId);
  }

  /** Those of the rules whose findings in the job all say their hosts, by names that can be kept. */
  async #nameable(jobId: number, signatures: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#db
      .select({ signature: findings.ruleSignature })
      .from(findings)
      .where(of(jobId, signatures))
      .groupBy(findings.ruleSignature)
      .having(
        sql`bool_and(jsonb_array_length(coalesce(${findings.hosts}, '[]')) > 0 and not exists (
          select from jsonb_array_elements_text(${findings.hosts}) as host where length(lower(host)) > ${longestHost}))`,
      );
    return new Set(rows.map(({ signature }) => signature));
  }

  async #forget(by: string, jobId: number, signatures: readonly string[]): Promise<void> {
    await this.#db.execute(sql`
      delete from ${rememberedReviews} where owner_id = ${by} and (rule_signature, host) in (
        select rule_signature, lower(host) from ${findings}, jsonb_array_elements_text(hosts) as host
        where ${of(jobId, signatures)})`);
  }

  async #remember(by: string, jobId: number, signatures: readonly string[], at: Date): Promise<void> {
    await this.#db.execute(sql`
      insert into ${rememberedReviews} (owner_id, rule_signature, host, is_private, state, note, at)
      select distinct ${by}::uuid, review.rule_signature, lower(host), job.is_private, review.state, review.note,
        ${at.toISOString()}::timestamptz
      from ${jobs} as job
      join ${findingReviews} as review on review.job_id = job.id
      join ${findings} on ${findings.jobId} = job.id and ${findings.ruleSignature} = review.rule_signature,
        jsonb_array_elements_text(${findings.hosts}) as host
      where ${of(jobId, signatures)} and job.id = ${jobId}`);
  }

  /** Of the rules that matched, as `distinct_rules` counts them. */
  async recount(jobId: number): Promise<void> {
    await this.#db.execute(sql`
      update ${jobs} set reviewed_rules = (
        select count(distinct coalesce(${findings.ruleId}, ${findings.ruleName}))
        from ${findings} join ${findingReviews} using (job_id, rule_signature)
        where job_id = ${jobId} and state <> 'new' and ${counting})
      where id = ${jobId}`);
  }
}

function of(jobId: number, signatures: readonly string[]): SQL | undefined {
  return and(eq(findings.jobId, jobId), standing, inArray(findings.ruleSignature, [...signatures]));
}

function named(account: NamedAccount | null): FindingReview['by'] {
  return account && { id: account.id, name: publicName(account) };
}
