import { compose } from '@svc/adapters/compose.ts';
import { analyzeJob, type AnalyzePorts } from '@svc/application/analysis/analyze-job.ts';
import { handleCrash } from '@svc/application/analysis/handle-crash.ts';
import { recoverStuckJobs } from '@svc/application/analysis/recover-stuck-jobs.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import { removeExpiredUploads } from '@svc/application/submissions/remove-expired-uploads.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Lease } from '@svc/application/ports/task-queue.ts';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export type WorkerPorts = AnalyzePorts & Pick<Ports, 'files' | 'jobViews' | 'ledger' | 'tasks' | 'uploads'>;

/** Why a worker leaves a job before its end. */
class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const waitMs = 20_000;
const troubleMs = 1000;
const sweepMs = 300_000;

/**
 * Works through the queue with as many jobs at a time as the deployment says, and looks after stuck
 * jobs and old uploads every five minutes. `stop` gives unfinished jobs back and resolves when all is quiet.
 */
export function startWorker(
  ports: WorkerPorts = compose(
    'clock',
    'deployment',
    'engines',
    'files',
    'jobs',
    'jobViews',
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
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const slots = Array.from({ length: ports.deployment.workers }, (_, slot) =>
    work(ports, `${hostname()}:${process.pid}:${slot}`, stopping.signal),
  );
  const sweeps = setInterval(() => void sweep(ports), sweepMs);
  return {
    stop: async () => {
      clearInterval(sweeps);
      stopping.abort(new WorkerStopping('the worker is stopping'));
      await Promise.all(slots);
    },
  };
}

/** What fails keeps nothing else from its turn. */
async function sweep(ports: WorkerPorts): Promise<void> {
  for (const task of [() => recoverStuckJobs(ports, 'sweep'), () => removeExpiredUploads(ports)]) {
    await task().catch((error: unknown) => ports.log.error('the sweep failed', { error }));
  }
}

/** Receives and handles one task after another until told to stop. */
async function work(ports: WorkerPorts, worker: string, stopping: AbortSignal): Promise<void> {
  let isInTrouble = false;
  while (!stopping.aborted) {
    try {
      const lease = await ports.tasks.receive({ worker, waitMs, signal: stopping });
      if (isInTrouble) ports.log.info('the worker can work again', { worker });
      isInTrouble = false;
      if (lease) await withLogFields({ job_id: lease.jobId }, () => handle(ports, lease, stopping));
    } catch (error) {
      // Said once, not each second for as long as the database is away.
      if (!isInTrouble) ports.log.error('the worker cannot work', { worker, error });
      isInTrouble = true;
      await sleep(troubleMs);
    }
  }
}

async function handle(ports: WorkerPorts, lease: Lease, stopping: AbortSignal): Promise<void> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(stopping.reason);
  if (stopping.aborted) leave();
  stopping.addEventListener('abort', leave);
  const heart = setInterval(() => void beat(ports, lease, leaving), ports.deployment.heartbeatSeconds * 1000);
  const startedAt = performance.now();
  ports.log.info('job begun', { attempt: lease.attempt });
  try {
    await analyzeJob(ports, lease, leaving.signal);
    await ports.tasks.acknowledge(lease);
    const status = (await ports.jobs.get(lease.jobId))?.job.status;
    ports.log.info('job done', { status, duration_ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    if (error instanceof WorkerStopping) await ports.tasks.release(lease, { delaySeconds: 0, countAttempt: false });
    else if (!(error instanceof LeaseLost)) await handleCrash(ports, lease, error);
  } finally {
    clearInterval(heart);
    stopping.removeEventListener('abort', leave);
  }
}

async function beat({ log, tasks }: WorkerPorts, lease: Lease, leaving: AbortController): Promise<void> {
  try {
    if (!(await tasks.extend(lease))) leaving.abort(new LeaseLost('another worker has the job'));
  } catch (error) {
    log.warn('no sign of life could be given', { error });
  }
}
