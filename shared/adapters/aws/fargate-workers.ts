import type { Log } from '@svc/application/ports/log.ts';
import type { WorkerLauncher } from '@svc/application/ports/worker-launcher.ts';
import { ConflictException, ECSClient, paginateListTasks, RunTaskCommand } from '@aws-sdk/client-ecs';
import { createHash } from 'node:crypto';
import { clientDefaults } from './client-defaults.ts';
import { networkOf, type FargateNetwork } from './fargate-network.ts';

/** Where workers run, and as what. */
export interface FargateOptions extends FargateNetwork {
  readonly cluster: string;
  /** Family of the task definition, `family:revision`, or its ARN. */
  readonly taskDefinition: string;
}

/** Most that one request starts. */
const mostAtOnce = 10;

/**
 * Workers as tasks of ECS, of the capacity that is the cluster's default. Two dispatchers that see the same
 * tasks within one minute start one set of them.
 */
export class FargateWorkers implements Pick<WorkerLauncher, 'running' | 'start'> {
  readonly #client: ECSClient;
  readonly #options: FargateOptions;
  readonly #log: Log;
  /** Tasks at the last look. */
  #seen: readonly string[] = [];

  constructor(client: ECSClient, options: FargateOptions, log: Log) {
    this.#client = client;
    this.#options = options;
    this.#log = log;
  }

  /** Tasks that are to run, from the moment they are asked for until they end. */
  async running(): Promise<number> {
    const { cluster, taskDefinition } = this.#options;
    const family = taskDefinition.replace(/^.*\//, '').replace(/:\d+$/, '');
    const tasks: string[] = [];
    const pages = paginateListTasks({ client: this.#client }, { cluster, family, desiredStatus: 'RUNNING' });
    for await (const { taskArns = [] } of pages) tasks.push(...taskArns);
    this.#seen = tasks;
    return tasks.length;
  }

  async start(count: number): Promise<number> {
    const minute = Math.floor(Date.now() / 60_000);
    let started = 0;
    while (started < count) {
      const asked = Math.min(count - started, mostAtOnce);
      const view = [minute, started, ...this.#seen.toSorted()].join();
      const got = await this.#run(asked, createHash('sha256').update(view).digest('hex'));
      started += got;
      if (got < asked) break;
    }
    return started;
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** @param token - ECS starts one set of tasks for it, and answers others that come with it by that set */
  async #run(count: number, token: string): Promise<number> {
    const { cluster, taskDefinition } = this.#options;
    const run = new RunTaskCommand({
      cluster,
      taskDefinition,
      count,
      clientToken: token,
      startedBy: 'dispatch-workers',
      enableECSManagedTags: true,
      propagateTags: 'TASK_DEFINITION',
      networkConfiguration: networkOf(this.#options),
    });
    try {
      const { tasks = [], failures = [] } = await this.#client.send(run);
      for (const { reason, detail } of failures) this.#log.warn('a worker could not be started', { reason, detail });
      return tasks.length;
    } catch (error) {
      // Another dispatcher was first, with another number.
      if (error instanceof ConflictException) return error.resourceIds?.length ?? 0;
      throw error;
    }
  }
}

/** With a client of its own, configured by the AWS SDK's environment. */
export function openFargateWorkers(options: FargateOptions, log: Log): FargateWorkers {
  return new FargateWorkers(new ECSClient(clientDefaults()), options, log);
}
