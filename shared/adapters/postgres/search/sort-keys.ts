import type { JobSort } from '@svc/contracts';
import { sql, type SQL } from 'drizzle-orm';
import { jobs } from '../schema/index.ts';
import type { SortKey } from './ordered-page.ts';
import { severityOrder } from './severity-order.ts';

/** What jobs are sorted by; the schema has an index for each. */
export const sortKeys: Readonly<Record<JobSort, SortKey>> = {
  created: {
    value: sql`${jobs.createdAt}`,
    toNumber: (value) => sql`(extract(epoch from ${value}) * 1000)::float8`,
    fromNumber: (number) => sql`${new Date(Number(number)).toISOString()}::timestamptz`,
  },
  matches: amount(sql`${jobs.totalFindings}`),
  severity: amount(severityOrder(jobs.severitySummary)),
};

function amount(value: SQL): SortKey {
  return { value, toNumber: (key) => sql`${key}::float8`, fromNumber: (number) => sql`${number}::bigint` };
}
