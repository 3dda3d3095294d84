import { explainStartFailure } from './start-failure.ts';

const stopDeadlineMs = 8000;

try {
  // Imported here, since the ports are built while it loads and may refuse the environment.
  const { work } = await import('./work.ts');
  const worker = await work();
  void worker.ended.then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(worker));
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, process.env)}\n`);
  process.exit(1);
}

/** A second signal ends the process at once, as it would have without the first. */
async function stop(worker: { stop(): Promise<void> }): Promise<void> {
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  await worker.stop();
}
