import { publicName, severities, type Severity } from '@svc/domain';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { accounts, cases } from '../schema/index.ts';

/** The worst severity of a summary as a number that sorts: 5 is critical, 0 none. */
export function worstOf(summary: SQLWrapper): SQL<number> {
  const steps = severities.map(
    (severity, rank) =>
      sql`when (${summary} ->> ${sql.raw(`'${severity}'`)})::bigint > 0 then ${sql.raw(String(severities.length - rank))}`,
  );
  return sql`(case ${sql.join(steps, sql` `)} else 0 end)`;
}

/** The severity that such a number stands for. */
export function severityOf(worst: number): Severity | null {
  return severities[severities.length - worst] ?? null;
}

/** The time of a change; clocks of two processes may differ, and a case is not updated before it was. */
export function notBefore(at: Date): SQL {
  return sql`greatest(${cases.updatedAt}, ${at.toISOString()}::timestamptz)`;
}

/** Of an account that is joined, what it is called by. */
export const accountName = { email: accounts.email, displayName: accounts.displayName };

/** What everybody may call it; null where it is gone. */
export function nameOf(account: { readonly email: string; readonly displayName: string | null } | null): string | null {
  return account && publicName(account);
}
