import { z } from 'zod';
import { databaseUrlOf } from './database.ts';
import { integer, url, type Contradiction, type Read } from './values.ts';

/** Variables of the queue. */
export const queueVariables = {
  TASKQ_WORKERS: integer(0, 64)
    .default(2)
    .describe(
      'Jobs analysed at the same time by this process, each with ANALYSIS_MEMORY_MB; 0 leaves them to npm run worker.',
    ),
  TASKQ_QUEUE_EXPIRY: integer(1, 2_592_000)
    .default(1800)
    .describe('Seconds a job may wait while no worker does anything before it fails; not a limit of the analysis.'),
  TASKQ_TASK_TIMEOUT: integer(1, 2_592_000)
    .optional()
    .describe('Old name of TASKQ_QUEUE_EXPIRY, for settings files that still have it; the new one wins.'),
  TASKQ_SQS_URL: url()
    .optional()
    .describe('SQS queue of the tasks, with TASKQ_LEDGER_TABLE; unset to queue them in the database.'),
  TASKQ_LEDGER_TABLE: z
    .string()
    .max(255)
    .optional()
    .describe(
      'DynamoDB table of the tasks in TASKQ_SQS_URL: partition key jobId, a number (of a job, or below zero); expiry in expiresAt.',
    ),
};

type QueueSettings = Read<typeof queueVariables> &
  Parameters<typeof databaseUrlOf>[0] & { readonly WORKER_CLUSTER?: string | undefined };

export function queueContradictions(settings: QueueSettings): Contradiction[] {
  const { TASKQ_SQS_URL, TASKQ_LEDGER_TABLE, WORKER_CLUSTER } = settings;
  return [
    [
      (TASKQ_SQS_URL === undefined) !== (TASKQ_LEDGER_TABLE === undefined),
      'TASKQ_SQS_URL and TASKQ_LEDGER_TABLE go together',
    ],
    [
      // The dispatcher of workers has no need of a database.
      databaseUrlOf(settings) === null && TASKQ_SQS_URL !== undefined && WORKER_CLUSTER === undefined,
      'TASKQ_SQS_URL needs DATABASE_URL; the embedded database has its own queue',
    ],
  ];
}
