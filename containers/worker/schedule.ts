import type { Ports } from '@svc/application/ports/ports.ts';
import { schedules } from '@svc/config';
import type { PeriodicKind } from '@svc/contracts/tasks.ts';
import { Cron } from 'croner';

/** What comes round sooner than this is not worth making up for. */
const soonMs = 3_600_000;

/**
 * Queues the periodic tasks at their times; the rarer ones also now, since no process may have been there at their
 * time. One that is still under way is not queued again, whichever process has it. `stop` resolves when none is being
 * queued.
 */
export function startSchedule({ log, tasks }: Pick<Ports, 'log' | 'tasks'>): { stop(): Promise<void> } {
  const queueing = new Set<Promise<void>>();
  const queue = async (kind: PeriodicKind): Promise<void> => {
    try {
      await tasks.enqueue({ kind });
    } catch (error) {
      log.error('a periodic task could not be queued', { task: kind, error });
    }
  };
  const tick = async (kind: PeriodicKind): Promise<void> => {
    const queued = queue(kind);
    queueing.add(queued);
    await queued;
    queueing.delete(queued);
  };
  const crons = schedules.map(({ key, cron, atStart = false }) => {
    // The cast is safe: a test compares the list with the kinds.
    const kind = key as PeriodicKind;
    const timer = new Cron(cron, { timezone: 'UTC', unref: true, protect: true }, () => tick(kind));
    if (atStart || (timer.msToNext() ?? 0) > soonMs) void tick(kind);
    return timer;
  });
  return {
    stop: async () => {
      for (const timer of crons) timer.stop();
      await Promise.all(queueing);
    },
  };
}
