import { BackedUpObject, type BackupManifest } from '@svc/contracts/backup.ts';
import { AppError } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { BackupFolder, placeOf, type Part } from './backup-folder.ts';
import type { SchemaStep } from './database-archive.ts';

export type VerifyPorts = Pick<Ports, 'databaseArchive' | 'deployment'>;

/**
 * Reads every part of a backup and compares it with what the manifest says; changes nothing. Throws with the names of
 * damaged parts, and where this version of the service cannot restore it.
 */
export async function verifyBackup(
  { databaseArchive, deployment }: VerifyPorts,
  path: string,
): Promise<BackupManifest> {
  const folder = new BackupFolder(path);
  const manifest = await folder.manifest();
  refuseLater(manifest, deployment.version, await databaseArchive.knownSchema());
  const damaged = [...(await damagedTables(folder, manifest)), ...(await damagedObjects(folder, manifest))];
  if (damaged.length === 0) return manifest;
  throw new AppError('bad_request', `The backup is damaged:\n${damaged.join('\n')}`);
}

function refuseLater({ schema, version }: BackupManifest, own: string, known: readonly SchemaStep[]): void {
  if (known.some(({ name, at }) => name === schema.name && at === schema.at) && !isLater(version, own)) return;
  throw new AppError(
    'bad_request',
    `The backup was made by version ${version} (database ${schema.name}), which this one (${own}) does not know; restore it with that version`,
  );
}

/** Of `1.2.3`, by number. */
function isLater(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}

async function damagedTables(folder: BackupFolder, { tables }: BackupManifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const part of tables) {
    const wrong = await damageOf(folder, part);
    if (wrong !== null) damaged.push(wrong);
    else if ((await countLines(folder, part.file)) !== part.rows)
      damaged.push(`${part.file} has not ${part.rows} rows`);
  }
  return damaged;
}

async function damagedObjects(folder: BackupFolder, { objects }: BackupManifest): Promise<string[]> {
  const wrong = await damageOf(folder, objects);
  if (wrong !== null) return [wrong];
  const damaged: string[] = [];
  let count = 0;
  for await (const object of objectsIn(folder, objects.file)) {
    count += 1;
    const one = await damageOf(folder, { ...object, file: placeOf(object.key) });
    if (one !== null) damaged.push(one);
  }
  return count === objects.count ? damaged : [...damaged, `${objects.file} has not ${objects.count} lines`];
}

/** What is wrong with a file; null when nothing is. */
async function damageOf(folder: BackupFolder, { file, bytes, sha256 }: Part): Promise<string | null> {
  const there = await folder.measure(file);
  if (there === null) return `${file} is missing`;
  if (there.bytes !== bytes) return `${file} has ${there.bytes} bytes, not ${bytes}`;
  return there.sha256 === sha256 ? null : `${file} has another content`;
}

async function countLines(folder: BackupFolder, file: string): Promise<number> {
  let count = 0;
  for await (const lines of folder.readLines(file)) count += lines.length;
  return count;
}

/** Every object of a backup. */
export async function* objectsIn(folder: BackupFolder, file: string): AsyncGenerator<BackedUpObject> {
  for await (const lines of folder.readLines(file)) {
    for (const line of lines) yield BackedUpObject.parse(JSON.parse(line));
  }
}
