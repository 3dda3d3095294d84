import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema/index.ts';

/** What repositories are written over: any PostgreSQL, or a transaction on it. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;
