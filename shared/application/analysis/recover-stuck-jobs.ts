import { analysisKey, taskKinds } from '@svc/contracts/tasks.ts';
import type { Job, JobErrorCode } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { endJob } from './end-job.ts';
import { hasExpired } from './expiry.ts';
import { queueAnalysis, type QueuePorts } from './queue-analysis.ts';

export type RecoverPorts = QueuePorts & Pick<Ports, 'clock' | 'jobViews' | 'jobs' | 'ledger' | 'transaction'>;

/** The start of a process, the periodic sweep, or an administrator who asks for one. */
export type RecoveryTrigger = 'startup' | 'sweep' | 'admin';

/** A pending job counts as expired this long after the queue's own limit. */
const graceSeconds = 60;

/**
 * Looks after jobs that no worker works on (resolved-platform 3.2): running ones are queued again
 * until their attempts are used up, pending ones that waited too long fail, and those with a cancel
 * mark end. Where the database is this machine's own, leases of workers that are gone end at the start.
 * Returns how many jobs it changed.
 */
export async function recoverStuckJobs(ports: RecoverPorts, trigger: RecoveryTrigger): Promise<number> {
  if (trigger === 'startup' && ports.deployment.embedded) await ports.ledger.dropLeases();
  let recovered = 0;
  let isWorking = false;
  const live = await ports.jobViews.live();
  for (const job of live.filter(({ status }) => status === 'running')) {
    const state = await ports.ledger.state(analysisKey(job.id));
    if (state?.held === true) isWorking = true;
    else if (await recoverRunning(ports, job, { attempts: state?.attempts ?? 0, trigger })) recovered += 1;
  }
  for (const job of live.filter(({ status }) => status !== 'running')) {
    if (await recoverPending(ports, job, isWorking)) recovered += 1;
  }
  if (recovered > 0) ports.log.info('recovered jobs', { recovered, trigger });
  return recovered;
}

async function recoverRunning(
  ports: RecoverPorts,
  job: Job,
  { attempts, trigger }: { attempts: number; trigger: RecoveryTrigger },
): Promise<boolean> {
  if (job.cancelRequestedAt) return end(ports, job, 'cancelled_worker_lost');
  if (attempts >= taskKinds.run_analysis.attempts) return giveUp(ports, job, trigger);
  await queueAgain(ports, job);
  return true;
}

async function recoverPending(ports: RecoverPorts, job: Job, isWorking: boolean): Promise<boolean> {
  if (job.cancelRequestedAt) return end(ports, job, 'cancelled_by_user');
  if (!isWorking && (await hasExpired(ports, job, graceSeconds))) return end(ports, job, 'queue_expired');
  // Its process may have ended between the commit and the queueing.
  return queueAgain(ports, job);
}

async function queueAgain(ports: RecoverPorts, job: Job): Promise<boolean> {
  const record = await ports.jobs.get(job.id);
  return record !== null && queueAnalysis(ports, record);
}

async function end(ports: RecoverPorts, job: Job, code: JobErrorCode): Promise<boolean> {
  const ended = await endJob(ports, job.id, { from: job.status, code });
  await ports.ledger.remove(analysisKey(job.id));
  return ended;
}

/** Its workers died as often as it is begun. */
async function giveUp(ports: RecoverPorts, job: Job, trigger: RecoveryTrigger): Promise<boolean> {
  const code = trigger === 'admin' ? 'worker_lost_admin' : 'worker_lost_startup';
  const ended = await endJob(ports, job.id, { from: job.status, code });
  await ports.ledger.bury(analysisKey(job.id), code);
  return ended;
}
