import { closePorts, compose } from '@svc/adapters/compose.ts';
import { startWorker } from './loop.ts';

const { database, deployment, log, objects } = compose('database', 'deployment', 'log', 'objects');

/**
 * A process that does nothing but analyse jobs, beside the processes that serve. It waits for the database
 * and for its migrations. `stop` gives unfinished jobs back and closes everything.
 */
export async function work(): Promise<{ stop(): Promise<void> }> {
  try {
    if (deployment.embedded) {
      throw new Error('a worker of its own needs DATABASE_URL; without it, the process of npm start does all the work');
    }
    if (deployment.workers === 0) throw new Error('TASKQ_WORKERS is 0, which leaves this worker nothing to do');
    await objects.check();
    await database.open();
  } catch (error) {
    await closePorts();
    throw error;
  }
  const worker = startWorker();
  log.info('the worker is ready', { version: deployment.version, jobs_at_once: deployment.workers });
  return {
    stop: async () => {
      log.info('the worker gives its jobs back and stops');
      await worker.stop();
      await closePorts();
    },
  };
}
