import { sideBySide } from '../analysis/side-by-side.ts';
import type { Ports } from '../ports/ports.ts';

export type DropPorts = Pick<Ports, 'droppedObjects' | 'log' | 'objects'>;

const batchSize = 200;
/** A store of another machine takes its time for each. */
const atOnce = 8;

/**
 * Removes from the store what was noted as dropped; what cannot be removed stays noted for another time. Returns how
 * many are gone.
 */
export async function removeObjects({ droppedObjects, log, objects }: DropPorts, keys: readonly string[]) {
  const remove = async (key: string): Promise<number> => {
    try {
      await objects.delete(key);
      await droppedObjects.forget(key);
      return 1;
    } catch (error) {
      log.warn('an object could not be removed yet', { key, error });
      return 0;
    }
  };
  const removed = await sideBySide(
    keys.map((key) => () => remove(key)),
    atOnce,
    new AbortController().signal,
  );
  return removed.reduce((sum, one) => sum + one, 0);
}

/** Removes what could not be removed when it was dropped, and what was only there for a while. */
export async function removeDroppedObjects(ports: DropPorts & Pick<Ports, 'clock'>): Promise<number> {
  const by = ports.clock.now();
  let removed = 0;
  for (let after = ''; ;) {
    const keys = await ports.droppedObjects.list({ by, after, limit: batchSize });
    removed += await removeObjects(ports, keys);
    const last = keys.at(-1);
    if (last === undefined || keys.length < batchSize) return removed;
    after = last;
  }
}
