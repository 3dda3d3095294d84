/**
 * Runs tasks in their order, so many at a time; the results have the same order. When one rejects, no more are begun,
 * the others are told to stop, and once they have stopped this rejects with the first reason.
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
