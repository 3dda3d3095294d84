import { Duration } from 'aws-cdk-lib';
import {
  Cluster,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Sizes } from '../settings.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import type { EnginesStack } from '../stacks/engines-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import { acknowledge } from './acknowledge.ts';
import type { ServiceEnvironment } from './environment.ts';
import { grantObjects, grantOutputs, grantRules } from './object-grants.ts';
import { output } from './output.ts';
import type { Queues } from './queues.ts';
import { imageOf } from './service-image.ts';

export interface WorkersProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly queues: Queues;
  /** Null where no engine is deployed. */
  readonly engines: EnginesStack | null;
  readonly variables: ServiceEnvironment;
  readonly size: Sizes['worker'];
  /** Whether workers run on capacity that AWS may take back, at a third of the price. */
  readonly spot: boolean;
  readonly logRetention: RetentionDays;
}

/** Memory of a task that is not for analyses. */
const ownMemoryMiB = 1024;
/** Starting a worker takes a minute; it stays for as long as the next big file may follow soon. */
const idleSeconds = 120;

/** Workers of the heavy lane: tasks on Fargate that the dispatcher starts, and that end by themselves. */
export class Workers extends Construct {
  readonly cluster: Cluster;
  readonly task: FargateTaskDefinition;
  readonly log: LogGroup;
  /** Jobs that one worker does at the same time: one per core. */
  readonly jobsAtOnce: number;

  constructor(scope: Construct, id: string, props: WorkersProps) {
    super(scope, id);
    const { size } = props;
    this.jobsAtOnce = size.cpu / 1024;
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: props.network.vpc,
      // Eleven metrics at 0.30 USD a month, of which the dashboard would read the number of tasks.
      containerInsightsV2: ContainerInsights.DISABLED,
      enableFargateCapacityProviders: true,
    });
    // What a worker whose capacity is taken back had begun goes back to the queue, and counts as no attempt.
    this.cluster.addDefaultCapacityProviderStrategy([
      { capacityProvider: props.spot ? 'FARGATE_SPOT' : 'FARGATE', weight: 1 },
    ]);
    // For copies of the logs under analysis. Every task has 20 GiB, and may not ask for as many.
    const { ephemeralStorageGiB } = size;
    this.task = new FargateTaskDefinition(this, 'Task', {
      cpu: size.cpu,
      ...(ephemeralStorageGiB > 20 && { ephemeralStorageGiB }),
      memoryLimitMiB: size.memoryMiB,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      volumes: [{ name: 'data' }, { name: 'tmp' }],
    });
    this.log = new LogGroup(this, 'Log', { retention: props.logRetention });
    const container = this.task.addContainer('worker', {
      image: imageOf('worker'),
      readonlyRootFilesystem: true,
      environment: this.#variables(props),
      secrets: props.data.containerSecrets,
      logging: LogDrivers.awsLogs({ logGroup: this.log, streamPrefix: 'worker' }),
      // It gives its jobs back within seconds.
      stopTimeout: Duration.seconds(30),
    });
    container.addMountPoints(
      { sourceVolume: 'data', containerPath: '/data', readOnly: false },
      { sourceVolume: 'tmp', containerPath: '/tmp', readOnly: false },
    );
    this.#grant(props);
    const reason = 'A token to pull images is for the registry of the account.';
    acknowledge(this.task.obtainExecutionRole(), ['IAM5[Resource::*]'], reason);
    const unread =
      'Its metrics cost without being read: ends of analyses, failures and running cores are told otherwise.';
    acknowledge(this.cluster, ['ECS4'], unread);
    acknowledge(this, ['ECS2'], 'Secrets come from Secrets Manager; the variables here are names and sizes.');
    output(this, 'WorkersCluster', this.cluster.clusterName);
    output(this, 'WorkersLog', this.log.logGroupName);
  }

  #grant({ data, engines, storage, queues }: WorkersProps): void {
    const { taskRole } = this.task;
    data.database.grantConnect(taskRole);
    const bucket = storage.uploads;
    grantObjects(this, taskRole, { bucket, actions: ['GetObject'] });
    grantRules(this, taskRole, storage.packs);
    // At its start it finds out whether the buckets can be used.
    grantObjects(this, taskRole, { bucket, actions: ['PutObject', 'DeleteObject'], keys: '*.probe' });
    grantOutputs(this, taskRole, storage.outputs);
    queues.grantQueueing(taskRole);
    queues.heavy.queue.grantConsumeMessages(taskRole);
    engines?.grantRuns(this, taskRole);
  }

  #variables({ engines, size, variables }: WorkersProps): ServiceEnvironment {
    return {
      ...variables,
      ...engines?.variables,
      LOG_FORMAT: 'json',
      DATA_DIR: '/data',
      TASKQ_LANES: 'heavy',
      TASKQ_WORKERS: String(this.jobsAtOnce),
      WORKER_IDLE_EXIT_SECONDS: String(idleSeconds),
      ANALYSIS_MEMORY_MB: String(Math.floor((size.memoryMiB - ownMemoryMiB) / this.jobsAtOnce)),
    };
  }
}
