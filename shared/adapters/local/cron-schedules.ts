import type { Schedules } from '@svc/application/ports/schedules.ts';
import { schedules } from '@svc/config';
import type { PeriodicKind } from '@svc/contracts/tasks.ts';
import { Cron } from 'croner';

/** Those of `config/schedules.ts`, by which workers and EventBridge Scheduler go. */
export const cronSchedules: Schedules = {
  after: (at) =>
    schedules.map(({ key, cron, label }) => {
      const nextRun = new Cron(cron, { timezone: 'UTC' }).nextRun(at);
      if (nextRun === null) throw new Error(`the schedule of ${key} has no next time: ${cron}`);
      // The cast is safe: a test compares the list with the kinds.
      return { kind: key as PeriodicKind, label, nextRun };
    }),
};
