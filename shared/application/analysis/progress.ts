import type { Ports } from '../ports/ports.ts';

const intervalMs = 500;

/** Saves a task's progress at most twice a second; an unsaved one is no reason to fail. */
export function progressWriter(
  { results, log }: Pick<Ports, 'results' | 'log'>,
  taskId: number,
): { report: (bytesDone: number) => void; settled: () => Promise<void> } {
  let last = 0;
  let writing: Promise<void> = Promise.resolve();
  let busy = false;
  const save = async (bytesDone: number): Promise<void> => {
    try {
      await results.saveProgress(taskId, bytesDone);
    } catch (error) {
      log.warn('cannot save progress', { task_id: taskId, error });
    } finally {
      busy = false;
    }
  };
  return {
    report: (bytesDone) => {
      const now = performance.now();
      if (busy || now - last < intervalMs) return;
      last = now;
      busy = true;
      writing = save(bytesDone);
    },
    settled: () => writing,
  };
}
