import type { Deployment } from '@svc/application/ports/deployment.ts';
import type { Environment } from '@svc/config';
import type { FargateOptions } from './fargate-workers.ts';
import type { AwsTaskQueueOptions } from './open-task-queue.ts';

/** The queue in SQS and DynamoDB as the environment names it; throws where it names none. */
export function awsQueueOf(environment: Environment): AwsTaskQueueOptions {
  const { TASKQ_SQS_URL: fast, TASKQ_LEDGER_TABLE: table, TASKQ_SQS_HEAVY_URL, TASKQ_SQS_DEAD_URL } = environment;
  const { TASKQ_SQS_SWEEP_URL } = environment;
  if (fast === undefined || table === undefined) {
    throw new Error('this function is for tasks in SQS: set TASKQ_SQS_URL and TASKQ_LEDGER_TABLE');
  }
  return {
    urls: {
      fast,
      heavy: TASKQ_SQS_HEAVY_URL ?? null,
      sweep: TASKQ_SQS_SWEEP_URL ?? null,
      dead: TASKQ_SQS_DEAD_URL ?? null,
    },
    lanes: environment.TASKQ_LANES,
    table,
    leaseSeconds: environment.WORKER_HEARTBEAT_TTL,
  };
}

/**
 * What a process does beside analyses. Tasks of tables have places of their own. In SQS, sweeps do where they have a
 * queue, in the processes that take from it; the rest comes with the small files.
 */
export function upkeepOf(environment: Environment): Pick<Deployment, 'keepsSchedule' | 'upkeepLanes'> {
  const { TASKQ_SQS_URL, TASKQ_SQS_SWEEP_URL, TASKQ_LANES, TASKQ_WORKERS } = environment;
  if (TASKQ_SQS_URL === undefined) return { keepsSchedule: true, upkeepLanes: ['prompt', 'sweep', 'outbound', 'ai'] };
  // Who takes no task leaves the schedule to those who do.
  if (TASKQ_WORKERS === 0) return { keepsSchedule: false, upkeepLanes: [] };
  if (TASKQ_SQS_SWEEP_URL === undefined) return { keepsSchedule: true, upkeepLanes: [] };
  const takesSweeps = TASKQ_LANES.includes('sweep');
  return { keepsSchedule: takesSweeps, upkeepLanes: takesSweeps ? ['sweep'] : [] };
}

export interface LauncherSettings {
  /** Name of the Lambda function that starts workers; null where nobody needs to tell it. */
  readonly dispatcher: string | null;
  /** What that function starts; null for all others. */
  readonly fargate: FargateOptions | null;
}

/** Who starts workers of the heavy lane; null where none are started. */
export function launcherSettingsOf(environment: Environment): LauncherSettings | null {
  const { WORKER_DISPATCHER: dispatcher = null, WORKER_CLUSTER: cluster, WORKER_TASK_DEFINITION } = environment;
  if (dispatcher === null && cluster === undefined) return null;
  if (cluster === undefined || WORKER_TASK_DEFINITION === undefined) return { dispatcher, fargate: null };
  const { WORKER_SUBNETS: subnets, WORKER_SECURITY_GROUPS: securityGroups } = environment;
  return { dispatcher, fargate: { cluster, taskDefinition: WORKER_TASK_DEFINITION, subnets, securityGroups } };
}
