import { taskKinds } from '@svc/contracts/tasks.ts';
import {
  AppError,
  isTerminal,
  jobErrorTexts,
  outcomeOf,
  type Job,
  type JobErrorCode,
  type UploadedFile,
  type WorkflowTask,
} from '@svc/domain';
import { EngineFailure, type EngineInput, type ReadyRules } from '../ports/detection-engine.ts';
import { storeIntel, type StoreIntelPorts } from '../intel/store-intel.ts';
import type { LocalCopy } from '../ports/object-store.ts';
import type { Ports } from '../ports/ports.ts';
import type { Lease, LeaseOf } from '../ports/task-queue.ts';
import { mergeFindings } from '../report/merge-findings.ts';
import { markSuppressed, type MarkPorts } from '../report/mark-suppressed.ts';
import { rulesForTask, type RulePorts } from '../rules/rules-for-task.ts';
import { beginTasks } from './begin-tasks.ts';
import { CancelRequested, watchCancel } from './cancel-watch.ts';
import { endJob } from './end-job.ts';
import { hasExpired } from './expiry.ts';
import { moveJob } from './move-job.ts';
import { noteDigest } from './note-digest.ts';
import { planTasks, type PlannedTask } from './plan-tasks.ts';
import { runTask, TakenOver, type TaskEnd } from './run-task.ts';
import { sideBySide } from './side-by-side.ts';

export type AnalyzePorts = RulePorts &
  MarkPorts &
  StoreIntelPorts &
  Pick<
    Ports,
    | 'deployment'
    | 'digests'
    | 'droppedObjects'
    | 'engines'
    | 'files'
    | 'jobs'
    | 'ledger'
    | 'log'
    | 'results'
    | 'settings'
    | 'transaction'
    | 'workflows'
  >;

/**
 * What a worker does with a received task (resolved-platform 3.3): checks that the job still wants
 * it, claims the job, runs the workflow's tasks, side by side where the site wants that, and ends the job by their outcome.
 * One that went wrong too often is buried. Safe to run twice: results of an earlier attempt are cleared, and a worker whose lease was taken
 * over changes nothing more. Rejects with `worker`'s reason when that aborts.
 */
export async function analyzeJob(
  ports: AnalyzePorts,
  lease: LeaseOf<'run_analysis'>,
  worker: AbortSignal,
): Promise<void> {
  const record = await ports.jobs.get(lease.task.jobId);
  if (!record || isTerminal(record.job.status)) return;
  const refusal = await refusalOf(ports, record.job, lease);
  if (refusal) {
    await endJob(ports, record.job.id, { from: record.job.status, code: refusal });
    if (refusal === 'worker_lost_startup') await ports.ledger.bury(lease.key, refusal);
    return;
  }
  if (!(await ports.jobs.claim(record.job.id, lease.token, ports.clock.now()))) return;
  const watch = watchCancel(ports, record.job.id, worker);
  try {
    await analyze(ports, { ...record, claim: lease.token, stop: watch.signal });
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
    ports.log.warn('the job was taken over');
  } finally {
    watch.close();
  }
}

/** Why a received task must not be run any more, or null. */
async function refusalOf(
  ports: AnalyzePorts,
  job: Job,
  { attempt }: Pick<Lease, 'attempt'>,
): Promise<JobErrorCode | null> {
  if (job.cancelRequestedAt) return job.status === 'running' ? 'cancelled_worker_lost' : 'cancelled_by_user';
  if (attempt > taskKinds.run_analysis.attempts) return 'worker_lost_startup';
  return (await hasExpired(ports, job)) ? 'queue_expired' : null;
}

/** A claimed job, and what its worker needs to work on it. */
interface Analysis {
  readonly job: Job;
  readonly file: UploadedFile;
  readonly claim: string;
  /** Cancelled by a user, or the worker's own stop. */
  readonly stop: AbortSignal;
}

async function analyze(ports: AnalyzePorts, analysis: Analysis): Promise<void> {
  const { job, file, stop } = analysis;
  const fail = failing(ports, analysis);
  const tasks = await ports.workflows.tasks(job.workflowId);
  if (tasks.length === 0) return fail('workflow_empty');
  const copy = await copyOf(ports, file.storageKey, stop);
  if (copy === 'upload_missing') return fail('upload_missing');
  if (copy === 'cancelled') return fail('cancelled_by_user');
  try {
    const ends = await runTasks(ports, analysis, tasks, copy.path);
    if (ends.filter(({ status }) => status === 'completed').length > 1) await merge(ports, job.id);
    await suppress(ports, job.id);
    await conclude(ports, analysis, ends);
    // The report does not wait for these.
    await noteIntel(ports, job.id);
    await noteDigest(ports, file, copy.path, stop);
  } finally {
    await copy.release();
  }
}

/** What could not be stored, the periodic task stores: the status of a job does not depend on it. */
async function noteIntel(ports: AnalyzePorts, jobId: number): Promise<void> {
  await storeIntel(ports, jobId).catch((error: unknown) => ports.log.warn('the intel waits to be stored', { error }));
}

/** The job does not depend on it: what each engine found is a finding of its own then. */
async function merge(ports: AnalyzePorts, jobId: number): Promise<void> {
  await mergeFindings(ports, jobId).catch((error: unknown) =>
    ports.log.warn('findings of several engines could not be merged', { error }),
  );
}

/** What could not be told counts, and is told when suppressions are applied again. */
async function suppress(ports: AnalyzePorts, jobId: number): Promise<void> {
  await markSuppressed(ports, jobId).catch((error: unknown) =>
    ports.log.warn('findings could not be suppressed', { error }),
  );
}

function failing(ports: AnalyzePorts, { job, claim }: Analysis) {
  return async (code: JobErrorCode, message = jobErrorTexts[code]): Promise<void> => {
    await endJob(ports, job.id, { from: 'running', code, message, claim });
  };
}

/** Ends the job by how its tasks did. */
async function conclude(ports: AnalyzePorts, analysis: Analysis, ends: readonly TaskEnd[]): Promise<void> {
  const { job, claim, stop } = analysis;
  const fail = failing(ports, analysis);
  if (stop.reason instanceof CancelRequested) return fail('cancelled_by_user');
  const outcome = outcomeOf(ends.map(({ status }) => status));
  const reasons = ends.flatMap(({ error }) => error ?? []);
  if (outcome === 'no_task_ran') return fail('no_task_ran', [jobErrorTexts.no_task_ran, ...reasons].join('\n'));
  if (outcome === 'failed') return fail('tasks_failed', reasons.join('\n'));
  const to = ends.some(({ isCutShort }) => isCutShort) ? 'partial' : outcome;
  await moveJob(ports, job.id, { from: 'running', to, at: ports.clock.now(), claim });
}

async function runTasks(
  ports: AnalyzePorts,
  analysis: Analysis,
  tasks: readonly WorkflowTask[],
  path: string,
): Promise<TaskEnd[]> {
  const { job, file, stop } = analysis;
  const plan = planTasks(tasks, job.logType, await ports.engines.current());
  const rules = await rulesOf(ports, plan);
  const ids = await beginPlan(ports, analysis, plan);
  const { maxFindingDetails, parallelExecution } = await ports.settings.current();
  const { maxRawBytes } = ports.deployment;
  const input = { path, sizeBytes: file.sizeBytes, logType: job.logType, maxFindingDetails, maxRawBytes };
  const runs = plan.map(({ task, engine, skipped }, index) => async (within: AbortSignal): Promise<TaskEnd> => {
    const id = ids[index];
    if (engine === null || id === undefined) return { status: 'skipped', error: skipped };
    const prepared = inputOf(task, input, rules[index] ?? null);
    return runTask(ports, { id, engine, input: prepared, timeout: task.timeout }, within);
  });
  const isParallel = parallelExecution && plan.length > 1;
  return sideBySide(runs, isParallel ? ports.deployment.tasksAtOnce : 1, stop);
}

type LogInput = Omit<EngineInput, 'rules' | 'task'>;

function inputOf(
  task: WorkflowTask,
  input: LogInput,
  rules: ReadyRules | EngineFailure | null,
): EngineInput | EngineFailure {
  if (rules instanceof EngineFailure) return rules;
  const maxFindingDetails = task.maxFindingDetails ?? input.maxFindingDetails;
  return { ...input, rules, task, maxFindingDetails };
}

/** The rules of all tasks, before any runs: a pack that changes meanwhile changes none of them. */
async function rulesOf(
  ports: AnalyzePorts,
  plan: readonly PlannedTask[],
): Promise<(ReadyRules | EngineFailure | null)[]> {
  const rules = [];
  for (const { task, engine } of plan) {
    const found = engine?.usesRulePacks === true ? await rulesForTask(ports, task).catch(asFailure) : null;
    // One with rules of its own only looks up in the packs what it finds.
    rules.push(found instanceof EngineFailure && task.rulesPaths.length > 0 && !engine!.isBuiltIn ? null : found);
  }
  return rules;
}

/** Why a task has no rules is told as its end; anything else is not the task's fault. */
function asFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  throw error;
}

/** The log as a file; a user's cancel stops its download, too. */
async function copyOf(
  { objects }: Pick<Ports, 'objects'>,
  key: string,
  stop: AbortSignal,
): Promise<LocalCopy | 'upload_missing' | 'cancelled'> {
  try {
    return await objects.localCopy(key, stop);
  } catch (error) {
    if (stop.reason instanceof CancelRequested) return 'cancelled';
    stop.throwIfAborted();
    if (error instanceof AppError && error.code === 'upload_missing') return 'upload_missing';
    throw error;
  }
}

async function beginPlan(
  ports: AnalyzePorts,
  { job, file, claim }: Analysis,
  plan: readonly PlannedTask[],
): Promise<readonly number[]> {
  const rows = plan.map(({ task, skipped }) => ({
    engine: task.tool,
    status: skipped === null ? ('pending' as const) : ('skipped' as const),
    errorMessage: skipped,
    bytesTotal: file.sizeBytes,
  }));
  const ids = await beginTasks(ports, { id: job.id, claim }, rows, ports.clock.now());
  if (ids === null) throw new TakenOver('the job runs under another claim');
  return ids;
}
