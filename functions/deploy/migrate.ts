import { compose } from '@svc/adapters/compose.ts';
import { runOneTimeTask } from '@svc/application/system/run-one-time-task.ts';

const ports = compose('oneTimeTasks');

/** What CloudFormation asks of a custom resource, as far as it matters here. */
interface Deployment {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly RequestId: string;
  readonly ResourceProperties: {
    /** That of before, in a rollback. */
    readonly TaskDefinition: string;
    readonly LogGroup: string;
    readonly StreamPrefix: string;
  };
}

/**
 * Has ECS bring the database up to date, for as long as it takes: both ends of a provider of the CDK, which asks until
 * it is complete. Rejects with why the task ended and where its log is, which is the reason that CloudFormation gives.
 */
export async function handler({ RequestType, RequestId, ResourceProperties }: Deployment) {
  const isDone = RequestType === 'Delete' || (await isPrepared(RequestId, ResourceProperties));
  return { PhysicalResourceId: 'migrations', IsComplete: isDone };
}

async function isPrepared(
  request: string,
  { TaskDefinition: program, LogGroup, StreamPrefix }: Deployment['ResourceProperties'],
): Promise<boolean> {
  const task = await runOneTimeTask(ports, { request, program });
  if (task?.state !== 'failed') return task !== null;
  throw new Error(
    `The database could not be brought up to date. ${task.reason}. ${logOf(LogGroup, StreamPrefix + task.id)}`,
  );
}

/** Where CloudWatch shows a stream; its console codes names twice, with `$` for the second `%`. */
function logOf(group: string, stream: string): string {
  const region = process.env['AWS_REGION'] ?? '';
  const [inGroup, inStream] = [group, stream].map((name) =>
    encodeURIComponent(encodeURIComponent(name)).replaceAll('%', '$'),
  );
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:log-groups/log-group/${inGroup}/log-events/${inStream}`;
}
