import type { OneTimeTask, OneTimeTasks } from '@svc/application/ports/one-time-tasks.ts';
import { DescribeTasksCommand, ECSClient, paginateListTasks, RunTaskCommand, type Task } from '@aws-sdk/client-ecs';
import { clientDefaults } from './client-defaults.ts';
import { networkOf } from './fargate-network.ts';
import type { FargateOptions } from './fargate-workers.ts';

/** As many as ECS describes at once. */
const describedAtOnce = 100;

/**
 * One-time tasks on Fargate: all that a cluster of their own has. Those that ended are told of for an hour. A program is
 * a task definition.
 */
export class FargateTasks implements OneTimeTasks {
  readonly #client: ECSClient;
  readonly #options: Omit<FargateOptions, 'taskDefinition'>;

  constructor(client: ECSClient, options: Omit<FargateOptions, 'taskDefinition'>) {
    this.#client = client;
    this.#options = options;
  }

  async list(): Promise<readonly OneTimeTask[]> {
    const { cluster } = this.#options;
    const arns: string[] = [];
    for (const desiredStatus of ['RUNNING', 'STOPPED'] as const) {
      for await (const { taskArns = [] } of paginateListTasks({ client: this.#client }, { cluster, desiredStatus })) {
        arns.push(...taskArns);
      }
    }
    const described: Task[] = [];
    for (let at = 0; at < arns.length; at += describedAtOnce) {
      const asked = new DescribeTasksCommand({ cluster, tasks: arns.slice(at, at + describedAtOnce) });
      described.push(...((await this.#client.send(asked)).tasks ?? []));
    }
    return described.map(toOneTimeTask);
  }

  async begin(request: string, taskDefinition: string): Promise<void> {
    const { cluster } = this.#options;
    const { failures = [] } = await this.#client.send(
      new RunTaskCommand({
        cluster,
        taskDefinition,
        launchType: 'FARGATE',
        // By this ECS knows a request that comes again, and the list knows its task.
        clientToken: request,
        startedBy: request,
        enableECSManagedTags: true,
        propagateTags: 'TASK_DEFINITION',
        networkConfiguration: networkOf(this.#options),
      }),
    );
    const [failure] = failures;
    if (failure) throw new Error(`ECS cannot start the task: ${failure.reason}${shown(failure.detail)}`);
  }
}

function toOneTimeTask({ taskArn = '', startedBy = '', lastStatus, stoppedReason, containers }: Task): OneTimeTask {
  const common = { request: startedBy, id: taskArn.replace(/^.*\//, '') };
  if (lastStatus !== 'STOPPED') return { ...common, state: 'runs', reason: null };
  const [{ exitCode, reason } = {}] = containers ?? [];
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  return {
    ...common,
    state: exitCode === 0 ? 'done' : 'failed',
    reason: `${stoppedReason ?? 'It stopped'}${code}${shown(reason)}`,
  };
}

function shown(detail: string | undefined): string {
  return detail === undefined ? '' : ` (${detail})`;
}

/** With a client of its own, configured by the AWS SDK's environment. */
export function openFargateTasks(options: FargateOptions): FargateTasks {
  return new FargateTasks(new ECSClient(clientDefaults()), options);
}
