import type { WorkerLauncher } from '@svc/application/ports/worker-launcher.ts';

/** Where workers run all the time and look for tasks by themselves, there is none to start. */
export const standingWorkers: WorkerLauncher = {
  wake: async () => undefined,
  running: async () => 0,
  start: async () => 0,
};
