import { compose } from '@svc/adapters/compose.ts';
import { runPeriodicTask } from '@svc/application/maintenance/run-periodic-task.ts';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

const ports = compose(
  'apiTokens',
  'backgroundTasks',
  'clock',
  'comments',
  'deployment',
  'derivations',
  'droppedObjects',
  'engines',
  'files',
  'findings',
  'jobs',
  'jobLists',
  'jobViews',
  'knownNetworks',
  'launcher',
  'ledger',
  'log',
  'objects',
  'outbound',
  'rawOutputs',
  'reportConfig',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'sessionStore',
  'settings',
  'tasks',
  'uploads',
  'workflows',
);

/**
 * Runs the periodic tasks that EventBridge Scheduler has put into the maintenance queue as `{"task": "<key>"}`. What
 * fails is left there, to be tried again and to end among the dead letters.
 */
export async function handler({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { body, messageId } of Records) {
    try {
      await runPeriodicTask(ports, taskIn(body));
    } catch (error) {
      ports.log.error('a message of the maintenance queue failed', { message_id: messageId, error });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}

function taskIn(body: string): string {
  const { task } = JSON.parse(body) as { task?: unknown };
  if (typeof task !== 'string') throw new Error('A message of the maintenance queue must be {"task": "<key>"}');
  return task;
}
