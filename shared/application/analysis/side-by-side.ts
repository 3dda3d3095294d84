/**
 * Runs tasks in their order, so many at a time; their results in the same order. After one that rejects no more are
 * begun, the others are told to stop, and only when they have does this reject with the first one's reason.
 */
export async function sideBySide<T>(
  tasks: readonly ((stop: AbortSignal) => Promise<T>)[],
  slots: number,
  stop: AbortSignal,
): Promise<T[]> {
  const failed = new AbortController();
  const within = AbortSignal.any([stop, failed.signal]);
  const results: T[] = [];
  const waiting = tasks.entries();
  const work = async (): Promise<void> => {
    // One iterator for all: each takes the next task.
    for (const [place, task] of waiting) {
      if (failed.signal.aborted) return;
      results[place] = await task(within);
    }
  };
  const workers = Array.from({ length: Math.min(slots, tasks.length) }, () =>
    work().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
  return results;
}
