import type { Ports } from '../ports/ports.ts';

/**
 * Removes uploads that were not submitted in time, with what was sent to them, and forgets what the
 * others have led to. An object that has become a file's stays. Returns how many it removed.
 */
export async function removeExpiredUploads({
  clock,
  files,
  log,
  objects,
  uploads,
}: Pick<Ports, 'clock' | 'files' | 'log' | 'objects' | 'uploads'>): Promise<number> {
  const expired = await uploads.retireExpired(clock.now());
  for (const { id, storageKey } of expired) {
    if (storageKey !== null && !(await files.isStoredAt(storageKey))) await objects.delete(storageKey);
    // Last, so that a sweep that breaks off finds it again.
    await uploads.remove(id);
  }
  if (expired.length > 0) log.info('removed expired uploads', { removed: expired.length });
  return expired.length;
}
