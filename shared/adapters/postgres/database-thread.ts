import { PGlite, types } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseReply, DatabaseRequest, DatabaseThreadData } from './pglite-client.ts';

// PGlite runs a query to its end without yielding; here it blocks nobody.
const { dataDir, template } = workerData as DatabaseThreadData;
const port = parentPort;
if (!port) throw new Error('database-thread runs as a worker thread only');

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

function reply(message: DatabaseReply): void {
  port?.postMessage(message);
}

async function answer({ id, sql, params, rowMode }: Extract<DatabaseRequest, { sql: string }>): Promise<void> {
  try {
    const { rows, affectedRows } = await database.query(sql, params, { rowMode });
    reply({ id, rows, affectedRows: affectedRows ?? 0 });
  } catch (error) {
    const { message, code, constraint } = error as { message: string; code?: string; constraint?: string };
    reply({ id, error: { message, code: code ?? null, constraint: constraint ?? null } });
  }
}

async function close({ id }: DatabaseRequest): Promise<void> {
  await database.close();
  reply({ id, rows: [], affectedRows: 0 });
  port?.close();
}

port.on('message', (request: DatabaseRequest) => void ('sql' in request ? answer(request) : close(request)));
reply({ id: 0, rows: [], affectedRows: 0 });
