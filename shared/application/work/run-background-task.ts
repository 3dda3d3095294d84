import { prepareEngineImage, testEngine, type EngineTaskPorts } from '../admin/engines/engine-tasks.ts';
import { cleanUpOutputs, purgeOrphans, vacuumTables, type StorageTaskPorts } from '../admin/storage/storage-tasks.ts';
import type { TaskOf } from '@svc/contracts/tasks.ts';
import { runBacktest, type RunBacktestPorts } from '../alerts/backtest-rule.ts';
import { deriveAgain, type DerivePorts } from '../analysis/derive-again.ts';
import { backfill, type BackfillPorts } from './backfills.ts';
import { runEnrichment, type RunEnrichmentPorts } from '../intel/enrichment/enrich-many.ts';
import { gatherMatches, type GatherPorts } from '../report/gather-matches.ts';
import { applySuppression, type MarkPorts } from '../report/mark-suppressed.ts';
import type { BackgroundEnd, BackgroundKind, BackgroundTask } from './background-task-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { queueBackgroundTask } from './request-background-task.ts';

export type BackgroundPorts = BackfillPorts &
  DerivePorts &
  EngineTaskPorts &
  GatherPorts &
  RunBacktestPorts &
  RunEnrichmentPorts &
  StorageTaskPorts &
  MarkPorts &
  Pick<Ports, 'deployment' | 'suppressions' | 'tasks'>;

const dayMs = 86_400_000;

/** How often one is begun without getting any further. */
const mostBegun = 3;

/** After how many seconds a task that has not ended is to go on. */
export interface Unfinished {
  readonly waitSeconds: number;
}

/**
 * What each kind does; the sentence that it ends with, null when there is more to do than may be done at once, or how long
 * it has to wait for others.
 */
const work: Readonly<
  Record<
    BackgroundKind,
    (ports: BackgroundPorts, task: BackgroundTask, stop: AbortSignal) => Promise<string | Unfinished | null>
  >
> = {
  recalculate_single_analytics: (ports, { targetId }) => deriveAgain(ports, targetId ?? 0),
  gather_finding_matches: (ports, { id, targetId }) =>
    gatherMatches(ports, targetId ?? 0, async (detail) => {
      await ports.backgroundTasks.progress(id, { cursor: 0, detail }, ports.clock.now());
    }),
  apply_suppression: applySuppression,
  backtest_alert_rule: runBacktest,
  bulk_enrich: runEnrichment,
  test_engine: testEngine,
  prepare_engine_image: prepareEngineImage,
  backfill_similarity: backfill,
  backfill_analytics: backfill,
  backfill_entities: backfill,
  backfill_builtin_labels: backfill,
  backfill_entity_attributes: backfill,
  backfill_relationships: backfill,
  backfill_finding_entity_links: backfill,
  cleanup_old_job_outputs: cleanUpOutputs,
  purge_orphaned_storage: purgeOrphans,
  vacuum_database: vacuumTables,
};

/**
 * Does a task that somebody has asked for, and notes what came of it; when it is to go on, if that is not all.
 * Rejects when that cannot be noted.
 */
export async function runBackgroundTask(
  ports: BackgroundPorts,
  { taskId }: TaskOf<BackgroundKind>,
  stop: AbortSignal,
): Promise<Unfinished | void> {
  const task = await ports.backgroundTasks.begin(taskId, ports.clock.now());
  if (task === null) return;
  if (task.attempts > mostBegun) return end(ports, task, { error: `not done: its process ended ${mostBegun} times` });
  const how = await beating(ports, task, () => endOf(ports, task, stop));
  if ('waitSeconds' in how) return how;
  await end(ports, task, how);
}

/** Notes that a task is not tried any more. */
export async function giveUpBackgroundTask(
  ports: BackgroundPorts,
  { kind, taskId }: TaskOf<BackgroundKind>,
  reason: string,
): Promise<void> {
  await end(ports, { id: taskId, kind }, { error: `not done: ${reason}` });
}

/** Queues again what has lost its place in the queue, or never got one; how many. */
export async function recoverBackgroundTasks(ports: BackgroundPorts): Promise<number> {
  let queued = 0;
  for (const task of await ports.backgroundTasks.inFlight()) if (await queueBackgroundTask(ports, task)) queued += 1;
  return queued;
}

/** Shows that somebody works on it, also where one step takes long. */
async function beating<T>(
  { backgroundTasks, clock, deployment, log }: BackgroundPorts,
  { id }: BackgroundTask,
  doing: () => Promise<T>,
): Promise<T> {
  const beat = (): void => {
    backgroundTasks.beat(id, clock.now()).catch((error: unknown) => log.warn('a beat could not be noted', { error }));
  };
  const heart = setInterval(beat, deployment.heartbeatSeconds * 1000);
  try {
    return await doing();
  } finally {
    clearInterval(heart);
  }
}

async function endOf(
  ports: BackgroundPorts,
  task: BackgroundTask,
  stop: AbortSignal,
): Promise<BackgroundEnd | Unfinished> {
  try {
    const detail = await work[task.kind](ports, task, stop);
    if (detail === null) return { waitSeconds: 0 };
    return typeof detail === 'string' ? { detail } : detail;
  } catch (error) {
    stop.throwIfAborted();
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function end(
  { backgroundTasks, clock, log }: BackgroundPorts,
  { id, kind }: Pick<BackgroundTask, 'id' | 'kind'>,
  how: BackgroundEnd,
): Promise<void> {
  await backgroundTasks.finish(id, how, clock.now());
  log.info('background task', { task_id: id, kind, ...how });
}

/** Forgets background tasks that ended `BACKGROUND_TASK_RETENTION_DAYS` ago; how many. */
export async function removeEndedTasks({ backgroundTasks, clock, deployment }: BackgroundPorts): Promise<number> {
  const days = deployment.retentionDays.backgroundTasks;
  return days === 0 ? 0 : backgroundTasks.removeEnded(new Date(clock.now().getTime() - days * dayMs));
}
