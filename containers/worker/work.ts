import { closePorts, compose } from '@svc/adapters/compose.ts';
import { startWorker, type Worker } from './loop.ts';

const { database, deployment, log, objects } = compose('database', 'deployment', 'log', 'objects');

/**
 * A process that does nothing but analyse jobs, beside the processes that serve. It waits for the database
 * and for its migrations. `stop` gives unfinished jobs back and closes everything, as a worker does that ends by itself.
 */
export async function work(): Promise<Worker> {
  try {
    if (deployment.workers === 0) throw new Error('TASKQ_WORKERS is 0, which leaves this worker nothing to do');
    await objects.check();
    await database.open('work');
  } catch (error) {
    await closePorts();
    throw error;
  }
  const worker = startWorker(undefined, deployment.idleExitSeconds);
  log.info('the worker is ready', { version: deployment.version, jobs_at_once: deployment.workers });
  const finish = async (): Promise<void> => {
    await worker.ended;
    log.info('the worker has ended');
    await closePorts();
  };
  const ended = finish();
  return {
    ended,
    stop: async () => {
      log.info('the worker gives its jobs back and stops');
      await worker.stop();
      await ended;
    },
  };
}
