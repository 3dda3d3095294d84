import { type MaintenancePorts, runPeriodicTask } from '@svc/application/maintenance/run-periodic-task.ts';
import { schedules } from '@svc/config';
import { Cron } from 'croner';

/** What comes round sooner than this is not worth making up for. */
const soonMs = 3_600_000;

/**
 * Runs the periodic tasks by their schedules; the rarer ones also now, since the process may be off at their time.
 * What fails is logged, and keeps nothing else from its turn. `begun` resolves when the task of this
 * name that began now has ended, `stop` when none is running.
 */
export function startPeriodicTasks(ports: MaintenancePorts): {
  begun(key: string): Promise<void>;
  stop(): Promise<void>;
} {
  const running = new Set<Promise<void>>();
  const begunNow = new Map<string, Promise<void>>();
  const run = async (key: string): Promise<void> => {
    const done = runPeriodicTask(ports, key).catch(() => undefined);
    running.add(done);
    await done;
    running.delete(done);
  };
  const crons = schedules.map(({ key, cron, atStart = false }) => {
    const timer = new Cron(cron, { timezone: 'UTC', unref: true, protect: true }, () => run(key));
    if (atStart || (timer.msToNext() ?? 0) > soonMs) begunNow.set(key, run(key));
    return timer;
  });
  return {
    begun: async (key) => begunNow.get(key),
    stop: async () => {
      for (const timer of crons) timer.stop();
      await Promise.all(running);
    },
  };
}
