import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';
import { retentionsOf } from './retention.ts';
import type { StorageWalk } from './storage-records.ts';
import { orphanGraceMs } from './storage-tasks.ts';
import { goOn, seenBy, type WalkPorts } from './walk-store.ts';

export type StoragePorts = WalkPorts & Pick<Ports, 'databaseUpkeep' | 'deployment' | 'settings'>;

/** For so long a look at the store answers others, too. */
const freshMs = 60_000;
/** One that nobody went on with for this long is begun anew, as what it has counted has changed. */
const staleMs = 600_000;
/** A request goes on with the look for so long; a large store takes several. */
const mostMs = 5_000;

/** What takes room (resolved-platform 16.5). */
export async function getStorage(
  ports: StoragePorts,
  { force }: InputOf<typeof operations.getStorage>,
): Promise<OutputOf<typeof operations.getStorage>> {
  const { databaseUpkeep, deployment, objectListing, settings, storageRecords } = ports;
  const walk = await goOn(ports, 'usage', await usable(ports, force), { mostMs, graceMs: orphanGraceMs });
  const { found } = walk;
  const [names, size, disk, site] = await Promise.all([
    storageRecords.fileNames(found.largest.map(({ job_id: id }) => id)),
    databaseUpkeep.size(),
    objectListing.room(),
    settings.current(),
  ]);
  return {
    uploads_bytes: found.uploads.bytes,
    outputs_bytes: found.outputs.bytes,
    packs_bytes: found.packs.bytes,
    unowned: { ...found.unowned, sample: [...found.sample] },
    largest_jobs: found.largest.flatMap((job) => {
      const filename = names.get(job.job_id);
      return filename === undefined ? [] : [{ ...job, filename }];
    }),
    db: size,
    retention: retentionsOf(site, deployment),
    disk,
    embedded_db: deployment.embedded,
    walk: {
      objects: seenBy(walk),
      began_at: walk.beganAt.toISOString(),
      ended_at: walk.endedAt?.toISOString() ?? null,
    },
  };
}

/** The last look while it is fresh or under way, else a new one. */
async function usable({ clock, storageRecords }: WalkPorts, force: boolean): Promise<StorageWalk> {
  const now = clock.now();
  const last = await storageRecords.walk('usage');
  if (last !== null) {
    const age = now.getTime() - (last.endedAt ?? last.changedAt).getTime();
    if (last.endedAt === null ? age < staleMs : age < freshMs && !force) return last;
  }
  return storageRecords.begin('usage', now);
}

/** What each table takes. */
export async function getDatabaseSizes({
  databaseUpkeep,
}: Pick<Ports, 'databaseUpkeep'>): Promise<OutputOf<typeof operations.getDatabaseSizes>> {
  const [{ bytes }, tables] = await Promise.all([databaseUpkeep.size(), databaseUpkeep.tables()]);
  return { bytes, tables: tables.map(({ indexBytes, ...table }) => ({ ...table, index_bytes: indexBytes })) };
}
