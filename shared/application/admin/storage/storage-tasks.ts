import { bytes, counted } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';
import { removeSomeOutputs, type AgePorts } from '../../work/remove-by-age.ts';
import type { StorageWalk } from './storage-records.ts';
import { goOn, seenBy, type WalkPorts } from './walk-store.ts';

export type StorageTaskPorts = AgePorts & WalkPorts & Pick<Ports, 'backgroundTasks' | 'databaseUpkeep'>;

/** What is left after this is done by another turn, so that others have theirs. */
const mostMs = 120_000;
/** What is younger may be on its way to its row (resolved-platform 16.5). */
export const orphanGraceMs = 3_600_000;

/** Removes raw outputs whose time is over, some at a time, until none is left; the sentence that it ends with. */
export async function cleanUpOutputs(ports: StorageTaskPorts, task: BackgroundTask): Promise<string | null> {
  const { backgroundTasks, clock } = ports;
  const startedAt = clock.now().getTime();
  let removed = task.cursor ?? 0;
  const said = (): string =>
    removed === 0 ? 'there was nothing to remove' : `${counted(removed, 'raw output')} removed`;
  while (clock.now().getTime() - startedAt < mostMs) {
    const some = await removeSomeOutputs(ports);
    if (some === 0) return said();
    removed += some;
    if (!(await backgroundTasks.progress(task.id, { cursor: removed, detail: said() }, clock.now()))) return said();
  }
  return null;
}

/** Removes objects that no row names, also halves of such; the sentence that it ends with, null when there is more. */
export async function purgeOrphans(ports: StorageTaskPorts, task: BackgroundTask): Promise<string | null> {
  const { backgroundTasks, clock, objectListing, storageRecords } = ports;
  const last = task.cursor === null ? null : await storageRecords.walk('purge');
  const from = last ?? (await storageRecords.begin('purge', clock.now()));
  let isWanted = true;
  const walk = await goOn(ports, 'purge', from, {
    mostMs,
    graceMs: orphanGraceMs,
    removes: true,
    onPage: async (so) => {
      const done = { cursor: so.pages, detail: purged(so) };
      isWanted = await backgroundTasks.progress(task.id, done, clock.now());
      return isWanted;
    },
  });
  if (!isWanted) return purged(walk);
  if (walk.endedAt === null) return null;
  const halves = await objectListing.removeUnfinished(clock.now());
  return purged(walk) + (halves === 0 ? '' : `, and ${counted(halves, 'unfinished one')}`);
}

function purged(walk: StorageWalk): string {
  const { count, bytes: size } = walk.found.removed;
  return `${counted(count, 'object')} removed (${bytes(size)}) of ${counted(seenBy(walk), 'object')} looked at`;
}

/**
 * Writes tables of the embedded database anew, the smallest first, each of which needs its own size in free room
 * meanwhile; the sentence that it ends with.
 */
export async function vacuumTables(ports: StorageTaskPorts, task: BackgroundTask): Promise<string> {
  const { backgroundTasks, clock, databaseUpkeep, objects } = ports;
  const before = await databaseUpkeep.size();
  const tables = [...(await databaseUpkeep.tables())].reverse();
  const left: string[] = [];
  for (const [at, { name, bytes: size }] of tables.entries()) {
    const detail = `${at} of ${counted(tables.length, 'table')} done, now ${name} (${bytes(size)})`;
    if (!(await backgroundTasks.progress(task.id, { cursor: at, detail }, clock.now()))) return 'stopped';
    const { freeBytes } = await objects.check();
    if (freeBytes !== null && freeBytes < 2 * size) left.push(name);
    else await databaseUpkeep.vacuum(name);
  }
  const after = await databaseUpkeep.size();
  const change = `${bytes(before.bytes)} before, ${bytes(after.bytes)} now`;
  return left.length === 0 ? change : `${change}; too little room on the disk for ${left.join(', ')}`;
}
