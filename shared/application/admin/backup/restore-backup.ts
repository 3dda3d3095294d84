import type { BackupManifest } from '@svc/contracts/backup.ts';
import { AppError } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { BackupFolder, placeOf } from './backup-folder.ts';
import { objectsIn, verifyBackup } from './verify-backup.ts';

export type RestorePorts = Pick<
  Ports,
  | 'database'
  | 'databaseArchive'
  | 'deployment'
  | 'objectArchive'
  | 'objectListing'
  | 'objects'
  | 'secretBox'
  | 'storageRecords'
>;

export interface Restored {
  readonly manifest: BackupManifest;
  /** Objects that are there and that rows name. */
  readonly objects: number;
  /** Objects that no row names. */
  readonly orphans: number;
}

/**
 * Fills an empty place with a backup, after it was verified: the objects, then the database at once. One that was
 * broken off is begun again and goes on with the objects that are there.
 * @param options.withoutKeys - whether to go on where secrets will not open
 */
export async function restoreBackup(
  ports: RestorePorts,
  path: string,
  { withoutKeys = false } = {},
): Promise<Restored> {
  const folder = new BackupFolder(path);
  if (!withoutKeys) requireKeys(ports.secretBox, await folder.manifest());
  // A database that does not exist yet is made only once everything has been checked.
  if (await ports.database.exists()) await openEmpty(ports);
  await requireEmptyStore(ports, folder);
  const manifest = await verifyBackup(ports, path);
  await openEmpty(ports);
  for await (const { key } of objectsIn(folder, manifest.objects.file)) {
    if (!(await ports.objects.exists(key))) await ports.objectArchive.put(key, folder.read(placeOf(key)));
  }
  await fill(ports, folder, manifest);
  return { manifest, ...(await countObjects(ports)) };
}

function requireKeys(secretBox: Ports['secretBox'], { sealed_under: sealed }: BackupManifest): void {
  const own = secretBox.keyIds();
  const missing = Object.entries(sealed).filter(([id]) => !own.includes(id));
  if (missing.length === 0) return;
  const told = missing.map(([id, count]) => `${id} (${count} ${count === 1 ? 'secret' : 'secrets'})`).join(', ');
  throw new AppError(
    'bad_request',
    `The key that sealed secrets of this backup is not here: ${told}. Give ENRICHMENT_ENCRYPTION_KEY, its _PREVIOUS and SECRET_KEY (or the file secret.key in DATA_DIR) as the service had them; here ${own.length === 0 ? 'is none' : `are ${own.join(', ')}`}. With --without-keys they count as not set and have to be entered again`,
  );
}

async function openEmpty({ database, databaseArchive }: RestorePorts): Promise<void> {
  await database.open('visit');
  const table = await databaseArchive.usedTable();
  if (table !== null) throw notEmpty(`the table ${table} of its database has rows`);
}

async function requireEmptyStore({ objectListing }: RestorePorts, folder: BackupFolder): Promise<void> {
  for await (const keys of keysIn(objectListing)) {
    // Those of this backup are there from a try before.
    for (const key of keys) if (!(await folder.has(placeOf(key)))) throw notEmpty(`its store has the object ${key}`);
  }
}

function notEmpty(why: string): AppError {
  return new AppError('conflict', `A backup is restored into an empty place, and this one is in use: ${why}`);
}

async function fill(
  { databaseArchive }: RestorePorts,
  folder: BackupFolder,
  { schema, tables, numbers }: BackupManifest,
): Promise<void> {
  const parts = new Map(tables.map((part) => [part.table, part]));
  const rows = (table: string): AsyncIterable<string[]> => folder.readLines(parts.get(table)?.file ?? '');
  await databaseArchive.load({ schema, numbers, tables, rows });
}

/** Looks for objects that no row names, as the page of storage does. */
async function countObjects({ objectListing, storageRecords }: RestorePorts): Promise<Omit<Restored, 'manifest'>> {
  let [objects, orphans] = [0, 0];
  for await (const keys of keysIn(objectListing)) {
    const unnamed = await storageRecords.unnamed(keys);
    objects += keys.length - unnamed.length;
    orphans += unnamed.length;
  }
  return { objects, orphans };
}

async function* keysIn(objectListing: Ports['objectListing']): AsyncGenerator<readonly string[]> {
  for (let after: string | null | undefined; after !== null;) {
    const { objects, next } = await objectListing.page(after ?? null);
    yield objects.map(({ key }) => key);
    after = next;
  }
}
