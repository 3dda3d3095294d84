import { severities } from '@svc/domain';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** More matches of one severity than this do not count. */
const mostMatches = 9_999_999_999_999;

/**
 * A number that sorts summaries by their worst severity, and by the matches of that; 0 without any. Without parameters:
 * an index is found only by what it was made of.
 */
export function severityOrder(summary: SQLWrapper): SQL {
  const cases = severities.map((severity, rank) => {
    const matches = sql`(${summary} ->> ${sql.raw(`'${severity}'`)})::bigint`;
    const step = sql.raw(String((severities.length - rank) * (mostMatches + 1)));
    return sql`when ${matches} > 0 then ${step} + least(${matches}, ${sql.raw(String(mostMatches))})`;
  });
  return sql`(case ${sql.join(cases, sql` `)} else 0 end)`;
}
