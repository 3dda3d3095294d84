import type { Ports } from '../ports/ports.ts';

/** The longest transfer that began in time; stores do not report those under way. */
const longestSendingMs = 86_400_000;

/**
 * Removes uploads that were not submitted in time, with what was sent to them, and forgets what the
 * others have led to. Objects go with their versions, but one that has become a file's stays. Looks again a day later
 * for what has arrived since. Returns how many it removed.
 */
export async function removeExpiredUploads({
  clock,
  files,
  log,
  objects,
  uploads,
}: Pick<Ports, 'clock' | 'files' | 'log' | 'objects' | 'uploads'>): Promise<number> {
  const now = clock.now();
  const expired = await uploads.retireExpired(now);
  for (const { id, storageKey, createdAt } of expired) {
    if (storageKey !== null && !(await files.isStoredAt(storageKey))) await objects.erase(storageKey);
    const lastAt = new Date(createdAt.getTime() + longestSendingMs);
    // Last, so that a sweep that breaks off finds it again.
    await (storageKey === null || lastAt <= now ? uploads.remove(id) : uploads.recall(id, lastAt));
  }
  if (expired.length > 0) log.info('removed expired uploads', { removed: expired.length });
  return expired.length;
}
