import type { Log } from '@svc/application/ports/log.ts';
import type { WorkerLauncher } from '@svc/application/ports/worker-launcher.ts';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { FargateOptions, FargateWorkers } from './fargate-workers.ts';
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
  let workers: Promise<FargateWorkers> | null = null;
  const open = async (options: FargateOptions): Promise<FargateWorkers> =>
    (await import('./fargate-workers.ts')).openFargateWorkers(options, log);
  const fargateWorkers = async (): Promise<FargateWorkers> => {
    if (fargate === null) throw new Error('workers are started by the dispatcher alone, which WORKER_CLUSTER is for');
    return (workers ??= open(fargate));
  };
  return {
    wake: async () => {
      if (dispatcher === null) return;
      const { openLambda, wakeDispatcher } = await import('./wake-dispatcher.ts');
      lambda ??= openLambda();
      await wakeDispatcher(lambda, dispatcher);
    },
    running: async () => (await fargateWorkers()).running(),
    start: async (count) => (await fargateWorkers()).start(count),
    close: async () => {
      lambda?.destroy();
      (await workers)?.close();
    },
  };
}
