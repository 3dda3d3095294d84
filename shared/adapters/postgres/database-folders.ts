import { join } from 'node:path';

/** Where a database of this machine has its files: of a server, or of PGlite. */
export function databaseFolders(dataDir: string): readonly [own: string, pglite: string] {
  return [join(dataDir, 'postgres'), join(dataDir, 'database')];
}
