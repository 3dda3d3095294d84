import { outputDays } from '../admin/storage/output-retention.ts';
import { deleteOne, type DeletePorts } from '../jobs/delete-job.ts';
import type { Ports } from '../ports/ports.ts';
import { removeObjects } from './remove-dropped-objects.ts';

export type AgePorts = DeletePorts & Pick<Ports, 'deployment' | 'files' | 'settings'>;

const dayMs = 86_400_000;
const outputsAtOnce = 200;
/** Each with its jobs, which go one by one. */
const filesAtOnce = 20;

/**
 * Removes raw outputs whose time is over (service 8.3); what was derived from them stays. Returns how many it removed.
 */
export async function removeOldOutputs(ports: AgePorts): Promise<number> {
  for (let removed = 0; ;) {
    const some = await removeSomeOutputs(ports);
    removed += some;
    if (some === 0) return removed;
  }
}

/** The oldest of them, by the setting as it is now; how many, 0 when none is left. */
export async function removeSomeOutputs(ports: AgePorts): Promise<number> {
  const before = dateBefore(ports, outputDays(await ports.settings.current(), ports.deployment));
  if (before === null) return 0;
  const keys = await dropOutputs(ports, before, outputsAtOnce);
  await removeObjects(ports, keys);
  return keys.length;
}

/** Of the oldest, so many at most; the keys of their objects. */
export function dropOutputs(
  { clock, transaction }: Pick<Ports, 'clock' | 'transaction'>,
  before: Date,
  limit: number,
): Promise<readonly string[]> {
  return transaction(async (tx) => {
    const keys = await tx.rawOutputs.removeBefore(before, limit);
    await tx.droppedObjects.note(keys, clock.now());
    return keys;
  });
}

/** Deletes uploads that nobody has submitted for so long, together with their jobs (service 8.3); how many jobs. */
export async function removeOldUploads(ports: AgePorts): Promise<number> {
  const since = dateBefore(ports, ports.deployment.retentionDays.uploads);
  if (since === null) return 0;
  for (let deleted = 0; ;) {
    const ids = await ports.files.jobsIdleSince(since, filesAtOnce);
    if (ids.length === 0) return deleted;
    for (const id of ids) if (await deleteOne(ports, id, null)) deleted += 1;
  }
}

/** Null for never. */
function dateBefore({ clock }: Pick<Ports, 'clock'>, days: number): Date | null {
  return days === 0 ? null : new Date(clock.now().getTime() - days * dayMs);
}
