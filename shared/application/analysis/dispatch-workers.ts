import type { Ports } from '../ports/ports.ts';

/**
 * Starts workers for what waits in the heavy lane, as many as it needs and the deployment allows beside
 * those that start or run (architecture 3.3). They end by themselves when they have nothing to do.
 */
export async function dispatchWorkers({
  deployment,
  launcher,
  ledger,
  log,
}: Pick<Ports, 'deployment' | 'launcher' | 'ledger' | 'log'>): Promise<void> {
  const depth = await ledger.depth('heavy');
  if (depth === 0) return;
  const wanted = Math.min(deployment.maxWorkerTasks, Math.ceil(depth / Math.max(1, deployment.workers)));
  const running = await launcher.running();
  const missing = wanted - running;
  if (missing <= 0) return;
  const started = await launcher.start(missing);
  const report = { depth, running, started };
  if (started === missing) log.info('workers started', report);
  else log.error('not all workers could be started; the next look tries again', { ...report, missing });
}
