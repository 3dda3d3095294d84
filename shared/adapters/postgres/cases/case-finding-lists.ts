import type {
  CaseFindingLists,
  CaseFindingPlace,
  CaseFindingsAsked,
  FindingMark,
  NamedAccount,
} from '@svc/application/cases/case-findings.ts';
import { emptySummary, namesOfTactic, type Finding, type ReviewState, type Severity, type Tactic } from '@svc/domain';
import { and, asc, count, desc, eq, gt, inArray, lt, max, min, not, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { findingColumns, standing } from '../report/finding-columns.ts';
import { countingIn } from '../report/suppressed-findings.ts';
import { caseEntities, entities, entityFindings, findingReviews, findings, taskResults } from '../schema/index.ts';
import { storableText } from '../text.ts';

const state = sql<ReviewState>`coalesce(${findingReviews.state}, 'new')`;
const reviewed = and(
  eq(findingReviews.jobId, findings.jobId),
  eq(findingReviews.ruleSignature, findings.ruleSignature),
);

export class PgCaseFindingLists implements CaseFindingLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(
    asked: CaseFindingsAsked,
    { after, limit }: { readonly after: CaseFindingPlace | null; readonly limit: number },
  ): Promise<{
    readonly findings: readonly (Finding & { readonly state: ReviewState })[];
    readonly severities: Record<Severity, number>;
  }> {
    if (asked.jobIds.length === 0) return { findings: [], severities: { ...emptySummary } };
    const wanted = wantedBy(asked);
    const counted = await this.#db
      .select({ severity: findings.severity, total: count() })
      .from(findings)
      .leftJoin(findingReviews, reviewed)
      .where(wanted)
      .groupBy(findings.severity);
    const ofSeverity = asked.severities.length === 0 ? undefined : inArray(findings.severity, [...asked.severities]);
    const rows = await this.#db
      .select({ ...findingColumns, state })
      .from(findings)
      .innerJoin(taskResults, eq(taskResults.id, findings.taskResultId))
      .leftJoin(findingReviews, reviewed)
      .where(and(wanted, ofSeverity, after === null ? undefined : isAfter(after)))
      .orderBy(asc(findings.severityRank), desc(findings.count), asc(findings.id))
      .limit(limit);
    return {
      findings: rows,
      severities: { ...emptySummary, ...Object.fromEntries(counted.map(({ severity, total }) => [severity, total])) },
    };
  }

  async marks(caseId: number, jobIds: readonly number[]): Promise<readonly FindingMark[]> {
    if (jobIds.length === 0) return [];
    return this.#db
      .select({
        id: findings.id,
        jobId: findings.jobId,
        ruleName: findings.ruleName,
        severity: findings.severity,
        tags: findings.tags,
        count: findings.count,
        firstSeen: findings.firstSeen,
        lastSeen: findings.lastSeen,
        hosts: findings.hosts,
        kept: findings.eventsKept,
      })
      .from(findings)
      .where(and(inArray(findings.jobId, [...jobIds]), countingIn(caseId)));
  }

  async naming(caseId: number, entityId: number, jobIds: readonly number[]): Promise<ReadonlySet<number> | null> {
    const linked = and(eq(caseEntities.caseId, caseId), eq(caseEntities.entityId, entityId));
    if ((await this.#db.$count(caseEntities, linked)) === 0) return null;
    if (jobIds.length === 0) return new Set();
    const rows = await this.#db
      .select({ id: entityFindings.findingId })
      .from(entityFindings)
      .where(and(eq(entityFindings.entityId, entityId), inArray(entityFindings.jobId, [...jobIds])));
    return new Set(rows.map(({ id }) => id));
  }

  async accounts(caseId: number, jobIds: readonly number[]): Promise<readonly NamedAccount[]> {
    if (jobIds.length === 0) return [];
    return this.#db
      .select({
        entityId: entities.id,
        name: entities.value,
        jobId: findings.jobId,
        severity: findings.severity,
        ruleName: findings.ruleName,
        findings: count(),
        firstSeen: min(findings.firstSeen),
        lastSeen: max(findings.lastSeen),
      })
      .from(findings)
      .innerJoin(entityFindings, eq(entityFindings.findingId, findings.id))
      .innerJoin(entities, and(eq(entities.id, entityFindings.entityId), eq(entities.type, 'user')))
      .where(and(inArray(findings.jobId, [...jobIds]), countingIn(caseId)))
      .groupBy(entities.id, findings.jobId, findings.severity, findings.ruleName);
  }
}

/** Everything that is asked for but severities. */
function wantedBy({
  caseId,
  isSuppressed,
  jobIds,
  rule,
  host,
  tactic,
  state: wanted,
}: CaseFindingsAsked): SQL | undefined {
  const pattern = `%${storableText(rule).replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return and(
    inArray(findings.jobId, [...jobIds]),
    isSuppressed ? and(standing, not(countingIn(caseId))) : countingIn(caseId),
    rule === '' ? undefined : or(sql`${findings.ruleName} ilike ${pattern}`, eq(findings.ruleId, storableText(rule))),
    host === null ? undefined : isOn(host),
    tactic === null ? undefined : isOf(tactic),
    wanted === null ? undefined : eq(state, wanted),
  );
}

function isOn({ name, ids }: NonNullable<CaseFindingsAsked['host']>): SQL | undefined {
  const wanted = storableText(name).toLowerCase();
  return or(
    sql`exists (select from jsonb_array_elements_text(${findings.hosts}) as named(host) where lower(named.host) = ${wanted})`,
    sql`${findings.id} in (select json_array_elements_text(${JSON.stringify(ids)}::json)::int)`,
  );
}

function isOf(tactic: Tactic): SQL {
  const tags = JSON.stringify(namesOfTactic(tactic).map((name) => `attack.${name}`));
  return sql`exists (
    select from jsonb_array_elements_text(${findings.tags}) as given(tag)
    where translate(lower(given.tag), '- ', '__') in (select json_array_elements_text(${tags}::json))
  )`;
}

function isAfter({ rank, count: matches, id }: CaseFindingPlace): SQL | undefined {
  const { severityRank, count: own } = findings;
  return or(
    gt(severityRank, rank),
    and(eq(severityRank, rank), or(lt(own, matches), and(eq(own, matches), gt(findings.id, id)))),
  );
}
