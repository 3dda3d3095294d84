import type { ResultTotals } from '@svc/application/report/result-repository.ts';
import { emptySummary } from '@svc/domain';
import { and, count, countDistinct, eq, gt, max, min, notInArray, sql, sum, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { findings, taskResults } from '../schema/index.ts';

/** Figures over a job's committed findings and tasks (resolved-platform 3.1). */
export async function totalsOf(db: Database, jobId: number): Promise<ResultTotals> {
  const bySeverity = await db
    .select({ severity: findings.severity, matches: sum(findings.count).mapWith(Number) })
    .from(findings)
    .where(eq(findings.jobId, jobId))
    .groupBy(findings.severity);
  const [overall] = await db
    .select({
      rules: countDistinct(sql`coalesce(${findings.ruleId}, ${findings.ruleName})`),
      first: min(moment(findings.firstSeen)),
      last: max(moment(findings.lastSeen)),
    })
    .from(findings)
    .where(eq(findings.jobId, jobId));
  const counted = and(eq(taskResults.jobId, jobId), notInArray(taskResults.status, ['skipped', 'cancelled']));
  const [ran] = await db.select({ tasks: count() }).from(taskResults).where(counted);
  const [hit] = await db
    .select({ tasks: count() })
    .from(taskResults)
    .where(and(counted, gt(taskResults.findingsCount, 0)));
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

/** Without the Z, texts of different precision sort by time; the C collation compares bytes. */
function moment(column: typeof findings.firstSeen | typeof findings.lastSeen): SQL<string> {
  return sql`rtrim(${column}, 'Z') collate "C"`;
}
