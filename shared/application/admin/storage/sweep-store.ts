import type { Ports } from '../../ports/ports.ts';
import type { StorageWalk } from './storage-records.ts';
import { goOn, seenBy, type WalkPorts } from './walk-store.ts';

export type SweepPorts = WalkPorts;

/** What nobody has asked to remove is left for a day, in which a mistake can be noticed. */
const graceMs = 86_400_000;
/** A look is begun this often, and goes on with each run. */
const everyMs = 20 * 3_600_000;
/** What is left after this waits for the next run. */
const mostMs = 240_000;
/** Where more than this belongs to nobody, and more than a tenth of all, it is the database that is not the right one. */
const mostRemoved = 20;

/**
 * Removes what processes that were killed have left in the store: halves of objects, and objects that no row names.
 * Looks at all first, and removes nothing where the rows seem to be those of another store. Returns how many went.
 */
export async function sweepStore(ports: SweepPorts): Promise<number> {
  const { clock, objectListing } = ports;
  const unfinished = await objectListing.removeUnfinished(clock.now());
  const sweep = (await going(ports)) ?? (await toBegin(ports));
  if (sweep === null) return unfinished;
  const before = sweep.found.removed.count;
  const { found } = await goOn(ports, 'sweep', sweep, { mostMs, graceMs, removes: true });
  return unfinished + found.removed.count - before;
}

/** A removal that an earlier run has begun. */
async function going({ storageRecords }: Pick<Ports, 'storageRecords'>): Promise<StorageWalk | null> {
  const sweep = await storageRecords.walk('sweep');
  return sweep?.endedAt === null ? sweep : null;
}

/** A removal, once a look has found something to remove. */
async function toBegin(ports: SweepPorts): Promise<StorageWalk | null> {
  const { clock, log, storageRecords } = ports;
  const now = clock.now();
  const last = await storageRecords.walk('look');
  if (last !== null && last.endedAt !== null && now.getTime() - last.beganAt.getTime() < everyMs) return null;
  const begun = last?.endedAt === null ? last : await storageRecords.begin('look', now);
  const look = await goOn(ports, 'look', begun, { mostMs, graceMs });
  const { count } = look.found.unowned;
  if (look.endedAt === null || count === 0) return null;
  if (isHeld(look)) {
    log.error('much of the store belongs to no row of this database, so nothing was removed', {
      unowned: count,
      objects: seenBy(look),
    });
    return null;
  }
  return storageRecords.begin('sweep', clock.now());
}

/** Whether what a look has found is too much to be what killed processes left. */
export function isHeld(look: StorageWalk): boolean {
  const { count } = look.found.unowned;
  return count > mostRemoved && count > seenBy(look) / 10;
}
