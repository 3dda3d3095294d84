import { databaseUrlOf, readEnvironment } from '@svc/config';
import { resolve } from 'node:path';
import { pinoLog } from './local/pino-log.ts';
import { copyDatabase, type CopiedTable } from './postgres/copy-database.ts';
import { LocalDatabase } from './postgres/local-database.ts';
import { ServerDatabase } from './postgres/server-database.ts';
import { environmentVariables } from './variables.ts';

/**
 * Moves what the embedded database of `DATA_DIR` holds to the empty one of `DATABASE_URL`, while the service is
 * stopped; the embedded one stays as it is. Rejects with a sentence, having moved nothing.
 */
export async function moveDatabase(): Promise<CopiedTable[]> {
  const environment = readEnvironment(environmentVariables());
  const url = databaseUrlOf(environment);
  if (url === null) throw new Error('DATABASE_URL must name the PostgreSQL server to move to');
  const folder = resolve(environment.DATA_DIR);
  const log = pinoLog(environment);
  const source = new LocalDatabase(folder, log);
  const directUrl = environment.SYNC_DATABASE_URL ?? url;
  const target = new ServerDatabase(
    { url: directUrl, directUrl, size: 1, overflow: 0, recycleSeconds: 0, autoMigrate: true },
    log,
  );
  try {
    if (!(await source.exists())) throw new Error(`there is no embedded database in ${folder}; set DATA_DIR`);
    await source.open();
    await target.open();
    return await copyDatabase(source.orm, target.orm);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}
