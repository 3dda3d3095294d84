import { compose } from '@svc/adapters/compose.ts';
import { handleLease, WorkerStopping, type LeasePorts } from '@svc/application/analysis/handle-lease.ts';
import { recoverStuckJobs, type RecoverPorts } from '@svc/application/analysis/recover-stuck-jobs.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import { removeExpiredUploads } from '@svc/application/submissions/remove-expired-uploads.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdleWatch } from './idle-watch.ts';

export type WorkerPorts = LeasePorts & RecoverPorts & Pick<Ports, 'files' | 'uploads'>;

const waitMs = 20_000;
const troubleMs = 1000;
const sweepMs = 300_000;

/** A worker at work. */
export interface Worker {
  /** Gives unfinished jobs back and resolves when all is quiet. */
  stop(): Promise<void>;
  /** Resolves when it has ended, also by itself. */
  readonly ended: Promise<void>;
}

/**
 * Works through the queue with as many jobs at a time as the deployment says, and looks after stuck
 * jobs and old uploads every five minutes.
 * @param idleExitSeconds - it ends after having had nothing to do for so long; null for never
 */
export function startWorker(
  ports: WorkerPorts = compose(
    'clock',
    'deployment',
    'engines',
    'files',
    'jobs',
    'jobViews',
    'launcher',
    'ledger',
    'log',
    'objects',
    'results',
    'ruleArtifacts',
    'ruleCompiler',
    'rulePacks',
    'settings',
    'tasks',
    'uploads',
    'workflows',
  ),
  idleExitSeconds: number | null = null,
): Worker {
  const leave = new AbortController();
  const closing = new AbortController();
  const watch = new IdleWatch(idleExitSeconds, () => closing.abort());
  const work = { ports, leave: leave.signal, closing: AbortSignal.any([leave.signal, closing.signal]), watch };
  const slots = Array.from({ length: ports.deployment.workers }, (_, slot) =>
    drain(work, `${hostname()}:${process.pid}:${slot}`),
  );
  const sweeps = setInterval(() => void sweep(ports), sweepMs);
  const finish = async (): Promise<void> => {
    await Promise.all(slots);
    clearInterval(sweeps);
    watch.close();
  };
  const ended = finish();
  return {
    stop: () => {
      leave.abort(new WorkerStopping('the worker is stopping'));
      return ended;
    },
    ended,
  };
}

/** What fails keeps nothing else from its turn. */
async function sweep(ports: WorkerPorts): Promise<void> {
  for (const task of [() => recoverStuckJobs(ports, 'sweep'), () => removeExpiredUploads(ports)]) {
    await task().catch((error: unknown) => ports.log.error('the sweep failed', { error }));
  }
}

interface Work {
  readonly ports: WorkerPorts;
  /** Has jobs that are under way given back. */
  readonly leave: AbortSignal;
  /** Has no more jobs taken. */
  readonly closing: AbortSignal;
  readonly watch: IdleWatch;
}

/** Receives and handles one task after another until told to stop. */
async function drain({ ports, leave, closing, watch }: Work, worker: string): Promise<void> {
  let isInTrouble = false;
  while (!closing.aborted) {
    try {
      const lease = await ports.tasks.receive({ worker, waitMs, signal: closing });
      if (isInTrouble) ports.log.info('the worker can work again', { worker });
      isInTrouble = false;
      if (lease) {
        await watch.during(() => withLogFields({ job_id: lease.jobId }, () => handleLease(ports, lease, leave)));
      }
    } catch (error) {
      // Said once, not each second for as long as the database is away.
      if (!isInTrouble) ports.log.error('the worker cannot work', { worker, error });
      isInTrouble = true;
      await sleep(troubleMs);
    }
  }
}
