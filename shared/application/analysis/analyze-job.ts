import {
  AppError,
  isTerminal,
  outcomeOf,
  type Job,
  type JobErrorCode,
  type UploadedFile,
  type WorkflowTask,
} from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';
import { CancelRequested, watchCancel } from './cancel-watch.ts';
import { endJob } from './end-job.ts';
import { planTasks, type PlannedTask } from './plan-tasks.ts';
import { runTask, TakenOver, type TaskEnd } from './run-task.ts';

/** How often a job's analysis is begun before it is given up. */
export const maxAttempts = 3;

export type AnalyzePorts = Pick<
  Ports,
  'clock' | 'deployment' | 'engines' | 'jobs' | 'log' | 'objects' | 'results' | 'settings' | 'workflows'
>;

/**
 * What a worker does with a received task (resolved-platform 3.3): checks that the job still wants
 * it, claims the job, runs the workflow's tasks one after another and ends the job by their outcome.
 * Safe to run twice: results of an earlier attempt are cleared, and a worker whose lease was taken
 * over changes nothing more. Rejects with `worker`'s reason when that aborts.
 */
export async function analyzeJob(ports: AnalyzePorts, lease: Lease, worker: AbortSignal): Promise<void> {
  const record = await ports.jobs.get(lease.jobId);
  if (!record || isTerminal(record.job.status)) return;
  const refusal = refusalOf(ports, record.job, lease);
  if (refusal) {
    await endJob(ports, record.job.id, { from: record.job.status, code: refusal });
    return;
  }
  if (!(await ports.jobs.claim(record.job.id, lease.token, ports.clock.now()))) return;
  const watch = watchCancel(ports, record.job.id, worker);
  try {
    await analyze(ports, record, lease.token, watch.signal);
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
    ports.log.warn('the job was taken over', { jobId: lease.jobId });
  } finally {
    watch.close();
  }
}

/** Why a received task must not be run any more, or null. */
function refusalOf({ clock, deployment }: AnalyzePorts, job: Job, lease: Lease): JobErrorCode | null {
  if (job.cancelRequestedAt) return job.status === 'running' ? 'cancelled_worker_lost' : 'cancelled_by_user';
  if (lease.attempt > maxAttempts) return 'worker_lost_startup';
  const waitedSeconds = (clock.now().getTime() - job.createdAt.getTime()) / 1000;
  return job.status === 'pending' && waitedSeconds > deployment.queueExpirySeconds ? 'queue_expired' : null;
}

interface Claimed {
  readonly job: Job;
  readonly file: UploadedFile;
}

async function analyze(ports: AnalyzePorts, claimed: Claimed, claim: string, stop: AbortSignal): Promise<void> {
  const fail = (code: JobErrorCode, message?: string): Promise<boolean> =>
    endJob(ports, claimed.job.id, { from: 'running', code, claim, ...(message === undefined ? {} : { message }) });
  const tasks = await ports.workflows.tasks(claimed.job.workflowId);
  if (tasks.length === 0) return void (await fail('workflow_empty'));
  const ends = await runTasks(ports, claimed, claim, tasks, stop);
  if (ends === 'upload_missing') return void (await fail('upload_missing'));
  if (stop.reason instanceof CancelRequested) return void (await fail('cancelled_by_user'));
  const outcome = outcomeOf(ends.map(({ status }) => status));
  if (outcome === 'no_task_ran') return void (await fail('no_task_ran'));
  if (outcome === 'failed') {
    return void (await fail('tasks_failed', ends.flatMap(({ error }) => error ?? []).join('\n')));
  }
  await ports.jobs.changeStatus(claimed.job.id, { from: 'running', to: outcome, at: ports.clock.now(), claim });
}

async function runTasks(
  ports: AnalyzePorts,
  { job, file }: Claimed,
  claim: string,
  tasks: readonly WorkflowTask[],
  stop: AbortSignal,
): Promise<TaskEnd[] | 'upload_missing'> {
  const copy = await ports.objects.localCopy(file.storageKey).catch(nullWhenMissing);
  if (copy === null) return 'upload_missing';
  try {
    const plan = planTasks(tasks, job.logType, ports.engines);
    const ids = await beginTasks(ports, { id: job.id, claim }, file, plan);
    const details = (await ports.settings.current()).maxFindingDetails;
    const ends: TaskEnd[] = [];
    for (const [index, { task, engine, skipped }] of plan.entries()) {
      const id = ids[index];
      if (engine === null || id === undefined) {
        ends.push({ status: 'skipped', error: skipped });
        continue;
      }
      const { rulesPaths, timeout } = task;
      const maxFindingDetails = task.maxFindingDetails ?? details;
      const input = {
        path: copy.path,
        sizeBytes: file.sizeBytes,
        logType: job.logType,
        rulesPaths,
        maxFindingDetails,
      };
      ends.push(await runTask(ports, { id, engine, input, timeout }, stop));
    }
    return ends;
  } finally {
    await copy.release();
  }
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'upload_missing') return null;
  throw error;
}

async function beginTasks(
  { clock, results }: AnalyzePorts,
  job: { id: number; claim: string },
  file: UploadedFile,
  plan: readonly PlannedTask[],
): Promise<readonly number[]> {
  const rows = plan.map(({ task, skipped }) => ({
    engine: task.tool,
    status: skipped === null ? ('pending' as const) : ('skipped' as const),
    errorMessage: skipped,
    bytesTotal: file.sizeBytes,
  }));
  const ids = await results.beginTasks(job, rows, clock.now());
  if (ids === null) throw new TakenOver('the job runs under another claim');
  return ids;
}
