import type { JobSort } from '@svc/contracts';
import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { jobs } from '../schema/index.ts';
import type { SortKey } from './listed.ts';
import { severityOrder } from './severity-order.ts';

/** What jobs are sorted by; the schema has an index for each. */
export const sortKeys: Readonly<Record<JobSort, SortKey>> = {
  created: moment(jobs.createdAt),
  matches: amount(sql`${jobs.totalFindings}`, jobs.totalFindings),
  severity: amount(severityOrder(jobs.severitySummary), jobs.severitySummary),
};

/** A time, as milliseconds since 1970. */
export function moment(column: PgColumn): SortKey {
  return {
    value: sql`${column}`,
    columns: [column],
    toNumber: (value) => sql`(extract(epoch from ${value}) * 1000)::float8`,
    fromNumber: (number) => sql`${new Date(Number(number)).toISOString()}::timestamptz`,
  };
}

function amount(value: SQL, column: PgColumn): SortKey {
  return { value, columns: [column], toNumber: asNumber, fromNumber: (number) => sql`${number}::bigint` };
}

function asNumber(key: SQL): SQL {
  return sql`${key}::float8`;
}
