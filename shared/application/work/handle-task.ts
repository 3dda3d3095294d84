import {
  taskKinds,
  type PeriodicKind,
  type Task,
  type TaskKind,
  type TaskOf,
  type TaskPolicy,
} from '@svc/contracts/tasks.ts';
import { aiRunPorts, askModel } from '../ai/handle-run.ts';
import { deliverWebhook, endWebhookAttempt } from '../alerts/deliver-webhook.ts';
import { handleLease, moveToHeavy, type LeaseManner } from '../analysis/handle-lease.ts';
import { giveUpBackgroundTask, runBackgroundTask, type Unfinished } from './run-background-task.ts';
import { runPeriodicTask } from './run-periodic-task.ts';
import type { LogFields } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import type { Lease, LeaseOf } from '../ports/task-queue.ts';
import { holdLease, LeaseLost, type LeaseEnd } from './hold-lease.ts';

/** Ports of whoever does tasks. */
export const workPorts = [
  ...aiRunPorts,
  'aiRunner',
  'activityLog',
  'accounts',
  'apiTokens',
  'backgroundTasks',
  'clock',
  'comments',
  'deployment',
  'derivations',
  'droppedObjects',
  'databaseUpkeep',
  'digests',
  'engineRunner',
  'engineSettings',
  'engines',
  'enrichmentResults',
  'enrichmentRuns',
  'enrichmentServices',
  'entities',
  'files',
  'findings',
  'happeningBell',
  'happenings',
  'intel',
  'jobs',
  'jobViews',
  'knownNetworks',
  'launcher',
  'ledger',
  'log',
  'objectListing',
  'objects',
  'outbound',
  'periodicRuns',
  'rateLimiter',
  'rawOutputs',
  'results',
  'reportConfig',
  'ruleArtifacts',
  'ruleCompiler',
  'ruleLists',
  'rulePacks',
  'ruleTester',
  'ruleTrials',
  'secretBox',
  'sessionStore',
  'settings',
  'storageRecords',
  'suppressedFindings',
  'suppressions',
  'tasks',
  'transaction',
  'uploads',
  'webhookAttempts',
  'webhookDeliveries',
  'webhookSender',
  'workflows',
] as const satisfies readonly (keyof Ports)[];
export type WorkPorts = Pick<Ports, (typeof workPorts)[number]>;

/** How a worker does what it receives; what is no analysis is short, or can be repeated, and is done to its end. */
export interface Manner extends LeaseManner {
  /** Whether an analysis that did not survive its first attempt is for a larger worker, where there are any. @default false */
  readonly isSmall?: boolean;
}

type Handler<K extends TaskKind> = (ports: WorkPorts, lease: LeaseOf<K>, manner: Manner) => Promise<LeaseEnd>;

const background = byPolicy(runBackgroundTask, giveUpBackgroundTask);
const periodic = byPolicy((ports, { kind }: { kind: PeriodicKind }) => runPeriodicTask(ports, kind));

/** What does each kind. */
const handlers = {
  run_analysis: analyze,
  recalculate_single_analytics: background,
  gather_finding_matches: background,
  apply_suppression: background,
  backtest_alert_rule: background,
  bulk_enrich: background,
  test_engine: background,
  prepare_engine_image: background,
  backfill_similarity: background,
  backfill_analytics: background,
  backfill_entities: background,
  backfill_builtin_labels: background,
  backfill_entity_attributes: background,
  backfill_relationships: background,
  backfill_finding_entity_links: background,
  cleanup_old_job_outputs: background,
  purge_orphaned_storage: background,
  vacuum_database: background,
  run_ai_analysis: askModel,
  deliver_webhook: byPolicy((ports, { deliveryId, attempt }: TaskOf<'deliver_webhook'>) =>
    deliverWebhook(ports, { deliveryId, attempt }),
  ),
  end_webhook_attempt: byPolicy((ports, task: TaskOf<'end_webhook_attempt'>) => endWebhookAttempt(ports, task)),
  'job-recovery': periodic,
  'expired-uploads': periodic,
  'task-history': periodic,
  'dropped-objects': periodic,
  'stored-objects': periodic,
  'old-outputs': periodic,
  'old-uploads': periodic,
  'rule-packs': periodic,
  'rule-lists': periodic,
  'comment-prune': periodic,
  'similarity-digests': periodic,
  'held-words': periodic,
  'sample-events': periodic,
  intel: periodic,
  'session-prune': periodic,
  'token-prune': periodic,
  happenings: periodic,
  'happening-prune': periodic,
  'webhook-prune': periodic,
  'activity-prune': periodic,
  'enrichment-prune': periodic,
} satisfies { readonly [K in TaskKind]: Handler<K> };

/** Until a process of the version that knows the kind takes it. */
const unknownDelaySeconds = 300;

/** Does what a lease is for, and settles the task by how that ends. Throws only when the queue itself fails; the lease then lapses. */
export async function handleTask(ports: WorkPorts, lease: Lease, manner: Manner): Promise<LeaseEnd> {
  const { task } = lease;
  if (task.kind === 'unknown') {
    ports.log.warn('a task of a kind that this version does not know waits for a later one', { key: lease.key });
    await ports.tasks.release(lease, { delaySeconds: unknownDelaySeconds, countAttempt: false });
    return 'waits';
  }
  // The cast is safe: each handler is under its own kind.
  const handler = handlers[task.kind] as Handler<TaskKind>;
  return handler(ports, { ...lease, task }, manner);
}

async function analyze(ports: WorkPorts, lease: LeaseOf<'run_analysis'>, manner: Manner): Promise<LeaseEnd> {
  // Whatever ended the first attempt here may end the next one, too; a larger worker has more of everything.
  const isForLarger = manner.isSmall === true && ports.deployment.heavyQueue && lease.attempt > 1;
  if (isForLarger) return moveToHeavy(ports, lease, 'interrupted');
  return handleLease(ports, lease, manner);
}

/**
 * Does a task and, when that fails, has it done again as the policy of its kind says; in the end it is given up and
 * buried. One that is not finished goes on when those that wait have had their turn, or after its wait.
 */
function byPolicy<T extends Task>(
  work: (ports: WorkPorts, task: T, stop: AbortSignal) => Promise<Unfinished | void>,
  giveUp?: (ports: WorkPorts, task: T, reason: string) => Promise<void>,
) {
  return async (ports: WorkPorts, lease: Lease<T>): Promise<LeaseEnd> => {
    const { attempts, retryDelays }: TaskPolicy = taskKinds[lease.task.kind];
    const bury = async (reason: string): Promise<LeaseEnd> => {
      await giveUp?.(ports, lease.task, reason);
      ports.log.error('a task was given up', { key: lease.key, attempt: lease.attempt, reason });
      await ports.ledger.bury(lease.key, reason);
      await ports.tasks.acknowledge(lease);
      return 'finished';
    };
    if (lease.attempt > attempts) return bury(`its process ended ${attempts} times`);
    const ending = new AbortController();
    try {
      const how = await holdLease(ports, lease, ending, async () => work(ports, lease.task, ending.signal));
      if (typeof how === 'object') {
        await ports.tasks.release(lease, { delaySeconds: how.waitSeconds, countAttempt: false });
        return 'waits';
      }
      await ports.tasks.acknowledge(lease);
      return 'finished';
    } catch (error) {
      if (error instanceof LeaseLost) return 'waits';
      const delaySeconds = retryDelays[lease.attempt - 1];
      if (delaySeconds === undefined) return bury(error instanceof Error ? error.message : String(error));
      ports.log.warn('a task failed and is tried again', { key: lease.key, delay_seconds: delaySeconds, error });
      await ports.tasks.release(lease, { delaySeconds, countAttempt: true });
      return 'waits';
    }
  };
}

/** By which lines of the log tell what they belong to. */
export function fieldsOf({ task, key }: Lease): LogFields {
  return task.kind === 'run_analysis' ? { job_id: task.jobId } : { task: task.kind, task_key: key };
}
