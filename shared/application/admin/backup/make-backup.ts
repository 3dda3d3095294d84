import type { BackedUpObject, BackupManifest } from '@svc/contracts/backup.ts';
import { AppError } from '@svc/domain';
import { dirname } from 'node:path/posix';
import type { Ports } from '../../ports/ports.ts';
import { BackupFolder, placeOf } from './backup-folder.ts';
import type { DatabaseSnapshot, NamedObject } from './database-archive.ts';

export type BackupPorts = Pick<Ports, 'clock' | 'databaseArchive' | 'deployment' | 'objects' | 'secretBox'>;
type Kept = Pick<BackupManifest, 'numbers' | 'schema' | 'sealed_under' | 'tables' | 'taken_at'>;

/** The list of objects that the database names, while a backup is made. */
const namedList = 'named.jsonl.gz';
const objectList = 'objects.jsonl.gz';
/** Objects on their way at once; what is read of each in one go. */
const [atOnce, chunkBytes] = [8, 4_194_304];
const mostRounds = 10;

/**
 * Makes a backup of the database, as it is at one moment, and then of the objects that it names, while the service
 * goes on. Objects never change, so that those of the moment are the same later, but for what was deleted meanwhile:
 * then the database is read again, which no longer names it, and only what is new since is fetched. A backup that was
 * broken off goes on with the objects that it has.
 */
export async function makeBackup(ports: BackupPorts, path: string): Promise<BackupManifest> {
  const folder = new BackupFolder(path);
  await folder.begin();
  let absent = new Set<string>();
  for (let round = 1; round <= mostRounds; round += 1) {
    const kept = await keepDatabase(ports, folder);
    const objects = await keepObjects(ports, folder);
    // What a later state of the database names, too, was not deleted meanwhile: the service itself has lost it.
    if (objects.missing.every((key) => absent.has(key))) {
      await folder.remove(namedList);
      const manifest = { format: 1, version: ports.deployment.version, ...kept, objects } as const;
      await folder.end(manifest);
      return manifest;
    }
    absent = new Set(objects.missing);
  }
  throw new AppError('unavailable', 'Objects are deleted faster than they can be copied; try again at a quieter time');
}

function keepDatabase({ clock, databaseArchive, secretBox }: BackupPorts, folder: BackupFolder): Promise<Kept> {
  return databaseArchive.read(async (snapshot) => {
    const takenAt = clock.now().toISOString();
    const tables: Kept['tables'] = [];
    for (const table of snapshot.tables) {
      const { lines, ...part } = await folder.writeLines(`database/${table}.jsonl.gz`, snapshot.rows(table));
      tables.push({ table, rows: lines, ...part });
    }
    await folder.writeLines(namedList, asLines(snapshot.namedObjects()));
    const { schema } = snapshot;
    // After the rows, so that no row has a number that is given out again.
    const numbers = await snapshot.numbers();
    const sealed = await sealedUnder(snapshot, secretBox);
    return { taken_at: takenAt, schema: { name: schema.name, at: schema.at }, numbers, sealed_under: sealed, tables };
  });
}

async function* asLines(pieces: AsyncIterable<readonly object[]>): AsyncGenerator<string[]> {
  for await (const piece of pieces) yield piece.map((one) => JSON.stringify(one));
}

async function sealedUnder(snapshot: DatabaseSnapshot, secretBox: Ports['secretBox']): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const sealed of await snapshot.sealedSecrets()) {
    const id = secretBox.keyIdOf(sealed);
    if (id !== null) counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

async function keepObjects(ports: BackupPorts, folder: BackupFolder): Promise<BackupManifest['objects']> {
  const missing: string[] = [];
  let [count, totalBytes] = [0, 0];
  const { lines: _, ...part } = await folder.writeLines(
    objectList,
    (async function* () {
      for await (const named of withoutOthers(folder, namedIn(folder))) {
        const kept = await keepEach(ports, folder, named);
        for (const [index, { key, required }] of named.entries()) {
          if (kept[index] === null && required) missing.push(key);
        }
        const there = kept.filter((one) => one !== null);
        count += there.length;
        totalBytes += there.reduce((sum, { bytes }) => sum + bytes, 0);
        yield there.map((one) => JSON.stringify(one));
      }
    })(),
  );
  return { ...part, count, total_bytes: totalBytes, missing };
}

/** What the database names, those of one folder together: they are sorted. */
async function* namedIn(folder: BackupFolder): AsyncGenerator<NamedObject[]> {
  let group: NamedObject[] = [];
  for await (const lines of folder.readLines(namedList)) {
    for (const line of lines) {
      const named = JSON.parse(line) as NamedObject;
      const [first] = group;
      if (first !== undefined && dirname(placeOf(first.key)) !== dirname(placeOf(named.key))) {
        yield group;
        group = [];
      }
      group.push(named);
    }
  }
  if (group.length > 0) yield group;
}

/** The same, having removed what an earlier round has kept and the database no longer names. */
async function* withoutOthers(
  folder: BackupFolder,
  groups: AsyncIterable<NamedObject[]>,
): AsyncGenerator<NamedObject[]> {
  const seen = new Set<string>();
  for await (const group of groups) {
    const places = new Set(group.map(({ key }) => placeOf(key)));
    const place = dirname(placeOf(group[0]?.key ?? ''));
    seen.add(place);
    await removeOthers(folder, place, places);
    yield group;
  }
  for (const area of ['.', 'answers', 'outputs', 'packs']) {
    const parent = area === '.' ? 'objects' : `objects/${area}`;
    const others = (await folder.names(parent)).filter((name) => name.length === 2 && !seen.has(`${parent}/${name}`));
    for (const name of others) await folder.remove(`${parent}/${name}`);
  }
}

async function removeOthers(folder: BackupFolder, place: string, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await folder.names(place)) {
    if (!kept.has(`${place}/${name}`)) await folder.remove(`${place}/${name}`);
  }
}

async function keepEach(
  { objects }: BackupPorts,
  folder: BackupFolder,
  named: readonly NamedObject[],
): Promise<(BackedUpObject | null)[]> {
  const kept: (BackedUpObject | null)[] = named.map(() => null);
  const turns = named.entries();
  const fetcher = async (): Promise<void> => {
    for (const [index, { key }] of turns) kept[index] = await keepObject(objects, folder, key);
  };
  await Promise.all(Array.from({ length: atOnce }, fetcher));
  return kept;
}

/** Null when it is not there. */
async function keepObject(
  objects: Ports['objects'],
  folder: BackupFolder,
  key: string,
): Promise<BackedUpObject | null> {
  const place = placeOf(key);
  const there = await folder.measure(place);
  if (there !== null) return { key, ...there };
  try {
    return { key, ...(await folder.write(place, contentOf(objects, key))) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'upload_missing') return null;
    throw error;
  }
}

async function* contentOf(objects: Ports['objects'], key: string): AsyncGenerator<Uint8Array> {
  const reader = await objects.open(key);
  try {
    for (let offset = 0; offset < reader.size;) {
      const chunk = new Uint8Array(Math.min(chunkBytes, reader.size - offset));
      const read = await reader.read(offset, chunk);
      if (read === 0) throw new AppError('upload_missing', 'The file went while it was read');
      yield chunk.subarray(0, read);
      offset += read;
    }
  } finally {
    await reader.close();
  }
}
