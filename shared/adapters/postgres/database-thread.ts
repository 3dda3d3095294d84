import { PGlite, types } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { workerData } from 'node:worker_threads';
import { answerAsks } from '../machine/answer-asks.ts';

export interface DatabaseThreadData {
  /** Folder of the database; null keeps it in memory. */
  readonly dataDir: string | null;
  /** A dump to begin with (tar.gz). */
  readonly template: Uint8Array<ArrayBuffer> | null;
}

export interface QueryResult {
  readonly rows: unknown[];
  readonly affectedRows: number;
}

// PGlite runs a query to its end without yielding; here it blocks nobody.
const { dataDir, template } = workerData as DatabaseThreadData;

const asText = (value: string): string => value;
/** Times stay text, as drizzle expects them. */
const parsers = { [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.DATE]: asText };

const database = await PGlite.create({
  ...(dataDir === null ? {} : { dataDir }),
  ...(template === null ? {} : { loadDataDir: new Blob([template]) }),
  parsers,
  // Files may be there from before the extension was; a migration creates it.
  extensions: { pg_trgm },
});

const answers = {
  query: async (sql: string, params: unknown[], rowMode: 'array' | 'object'): Promise<QueryResult> => {
    const { rows, affectedRows } = await database.query(sql, params, { rowMode });
    return { rows, affectedRows: affectedRows ?? 0 };
  },
  close: () => database.close(),
};
export type DatabaseThread = typeof answers;
answerAsks(answers);
