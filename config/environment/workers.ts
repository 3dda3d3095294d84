import { z } from 'zod';
import { integer, list, url, type Contradiction, type Read } from './values.ts';

/** Variables of the lanes that analyses are queued in, and of who works in them. */
export const workerVariables = {
  TASKQ_SQS_HEAVY_URL: url()
    .optional()
    .describe(
      'SQS queue of large files and of workflows with external engines; TASKQ_SQS_URL then has the others. Unset, that one has all.',
    ),
  TASKQ_SQS_SWEEP_URL: url()
    .optional()
    .describe(
      'SQS queue of periodic tasks that may take minutes, for processes with sweep in TASKQ_LANES. Unset, TASKQ_SQS_URL has them, too.',
    ),
  TASKQ_SQS_DEAD_URL: url()
    .optional()
    .describe(
      'SQS queue that is told of each task that was given up, as of an analysis that kept failing its workers.',
    ),
  TASKQ_LANES: list()
    .pipe(z.array(z.enum(['fast', 'heavy', 'sweep'])).min(1, 'must name fast, heavy or sweep'))
    .default(['fast', 'heavy', 'sweep'])
    .describe(
      'Queues that this process takes tasks from, where they have some of their own: fast, heavy, sweep or several. Fast has the short tasks beside analyses, too.',
    ),
  FAST_LANE_MAX_MB: integer(0, 1_048_576)
    .default(64)
    .describe(
      'Largest file of the fast lane, in MiB: of TASKQ_SQS_URL where TASKQ_SQS_HEAVY_URL is set, else of the place that each process keeps for small files.',
    ),
  WORKER_IDLE_EXIT_SECONDS: integer(1, 86_400)
    .optional()
    .describe('npm run worker ends after it had nothing to do for so many seconds; unset, it never does.'),
  WORKER_DISPATCHER: z
    .string()
    .optional()
    .describe('Lambda function that is invoked when something was queued in TASKQ_SQS_HEAVY_URL, to start workers.'),
  WORKER_CLUSTER: z.string().optional().describe('ECS cluster in which the dispatcher starts workers on Fargate.'),
  WORKER_TASK_DEFINITION: z
    .string()
    .optional()
    .describe('ECS task definition of a worker: its family, with or without a revision.'),
  WORKER_SUBNETS: list().default([]).describe('Subnets of the workers that the dispatcher starts, comma-separated.'),
  WORKER_SECURITY_GROUPS: list().default([]).describe('Security groups of these workers, comma-separated.'),
  TOOL_MAX_WORKERS: integer(1, 64)
    .default(2)
    .describe(
      'Tasks of one job that run at the same time where the site setting parallel_execution is on, each with ANALYSIS_MEMORY_MB.',
    ),
  WORKER_MAX_TASKS: integer(1, 1000)
    .default(4)
    .describe('Most workers that the dispatcher lets run at the same time, each with TASKQ_WORKERS jobs.'),
  WORKER_HEARTBEAT_INTERVAL: integer(1, 3600).default(30).describe('Seconds between two signs of life of a worker.'),
  WORKER_HEARTBEAT_TTL: integer(2, 86_400)
    .default(60)
    .describe('Seconds of silence after which a worker’s job is taken over.'),
  WORKER_ALIVE_TTL: integer(60, 86_400)
    .default(180)
    .describe(
      'Seconds of silence after which a worker is gone from the page of workers; at least WORKER_HEARTBEAT_INTERVAL and 60.',
    ),
  WORKER_NAME: z.string().max(100).optional().describe('What the page of workers calls this process.'),
  WORKER_IP: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe(
      'Address that the page of workers shows for it; unset, the first of the machine’s that is not its own loopback.',
    ),
};

type WorkerSettings = Read<typeof workerVariables> & { readonly TASKQ_SQS_URL?: string | undefined };

/** Settings of the lanes that are well by themselves and not together: whether it is so, and the sentence. */
export function workerContradictions(environment: WorkerSettings): Contradiction[] {
  const { TASKQ_SQS_URL, TASKQ_SQS_HEAVY_URL, TASKQ_SQS_SWEEP_URL, TASKQ_SQS_DEAD_URL } = environment;
  const others = [TASKQ_SQS_HEAVY_URL, TASKQ_SQS_SWEEP_URL].filter((one) => one !== undefined);
  const { WORKER_CLUSTER, WORKER_TASK_DEFINITION, WORKER_SUBNETS } = environment;
  return [
    [
      environment.WORKER_HEARTBEAT_TTL <= environment.WORKER_HEARTBEAT_INTERVAL,
      'WORKER_HEARTBEAT_TTL must exceed WORKER_HEARTBEAT_INTERVAL',
    ],
    [
      TASKQ_SQS_URL === undefined && (others.length > 0 || TASKQ_SQS_DEAD_URL !== undefined),
      'TASKQ_SQS_HEAVY_URL, TASKQ_SQS_SWEEP_URL and TASKQ_SQS_DEAD_URL need TASKQ_SQS_URL',
    ],
    [
      new Set([TASKQ_SQS_URL, ...others]).size <= others.length,
      'TASKQ_SQS_URL, TASKQ_SQS_HEAVY_URL and TASKQ_SQS_SWEEP_URL must be different queues; leave the others unset for one queue',
    ],
    [
      WORKER_CLUSTER !== undefined && (WORKER_TASK_DEFINITION === undefined || WORKER_SUBNETS.length === 0),
      'WORKER_CLUSTER needs WORKER_TASK_DEFINITION and WORKER_SUBNETS',
    ],
  ];
}
