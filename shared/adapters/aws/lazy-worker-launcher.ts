import type { Log } from '@svc/application/ports/log.ts';
import type { WorkerLauncher } from '@svc/application/ports/worker-launcher.ts';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { lazy } from '../lazy.ts';
import type { FargateWorkers } from './fargate-workers.ts';
import type { LauncherSettings } from './lane-settings.ts';

/**
 * Starts workers on Fargate, and has the dispatcher do so. Each SDK is loaded at its first use, so that a
 * function that only wakes the dispatcher never loads that of ECS, nor any other either.
 */
export function lazyWorkerLauncher(
  { dispatcher, fargate }: LauncherSettings,
  log: Log,
): WorkerLauncher & { close(): Promise<void> } {
  let lambda: LambdaClient | null = null;
  const workers = lazy<Pick<FargateWorkers, 'close' | 'running' | 'start'>>(async () => {
    if (fargate === null) throw new Error('workers are started by the dispatcher alone, which WORKER_CLUSTER is for');
    return (await import('./fargate-workers.ts')).openFargateWorkers(fargate, log);
  });
  return {
    wake: async () => {
      if (dispatcher === null) return;
      const { openLambda, wakeDispatcher } = await import('./wake-dispatcher.ts');
      lambda ??= openLambda();
      await wakeDispatcher(lambda, dispatcher);
    },
    running: () => workers.port.running(),
    start: (count) => workers.port.start(count),
    close: async () => {
      lambda?.destroy();
      await (await workers.opened())?.close();
    },
  };
}
