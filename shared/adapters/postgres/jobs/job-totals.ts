import type { ResultTotals } from '@svc/application/report/result-repository.ts';
import { emptySummary } from '@svc/domain';
import { and, count, countDistinct, eq, exists, max, min, notInArray, or, sql, sum, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { counting } from '../report/finding-columns.ts';
import { findings, taskResults } from '../schema/index.ts';

/** Figures over a job's committed findings and tasks (resolved-platform 3.1), without what the instance has suppressed. */
export async function totalsOf(db: Database, jobId: number): Promise<ResultTotals> {
  const own = and(eq(findings.jobId, jobId), counting);
  const bySeverity = await db
    .select({
      severity: findings.severity,
      matches: sum(sql`${findings.count} - ${findings.suppressed}`).mapWith(Number),
    })
    .from(findings)
    .where(own)
    .groupBy(findings.severity);
  const [overall] = await db
    .select({
      rules: countDistinct(sql`coalesce(${findings.ruleId}, ${findings.ruleName})`),
      first: min(moment(findings.firstSeen)),
      last: max(moment(findings.lastSeen)),
    })
    .from(findings)
    .where(own);
  const counted = and(eq(taskResults.jobId, jobId), notInArray(taskResults.status, ['skipped', 'cancelled']));
  const [ran] = await db.select({ tasks: count() }).from(taskResults).where(counted);
  const [hit] = await db
    .select({ tasks: count() })
    .from(taskResults)
    .where(
      and(
        counted,
        exists(
          db
            .select({ id: findings.id })
            .from(findings)
            .where(and(eq(findings.taskResultId, taskResults.id), or(counting, standsElsewhere))),
        ),
      ),
    );
  return {
    scoreRatio: `${hit?.tasks ?? 0}/${ran?.tasks ?? 0}`,
    totalFindings: bySeverity.reduce((total, { matches }) => total + matches, 0),
    distinctRules: overall?.rules ?? 0,
    severitySummary: {
      ...emptySummary,
      ...Object.fromEntries(bySeverity.map(({ severity, matches }) => [severity, matches])),
    },
    firstEventAt: overall?.first ? `${overall.first}Z` : null,
    lastEventAt: overall?.last ? `${overall.last}Z` : null,
  };
}

/** The finding of another engine that stands for it counts. */
const standsElsewhere = sql`exists (
  select from ${findings} lead where lead.id = ${findings.mergedInto} and lead.count > lead.suppressed)`;

/** Without the Z, texts of different precision sort by time; the C collation compares bytes. */
function moment(column: typeof findings.firstSeen | typeof findings.lastSeen): SQL<string> {
  return sql`rtrim(${column}, 'Z') collate "C"`;
}
