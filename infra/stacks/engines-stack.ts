import { Duration, RemovalPolicy, type App } from 'aws-cdk-lib';
import {
  InterfaceVpcEndpoint,
  InterfaceVpcEndpointAwsService,
  Port,
  SecurityGroup,
  SubnetType,
} from 'aws-cdk-lib/aws-ec2';
import {
  Capability,
  Cluster,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { engineImage, enginePrograms, type EngineName } from '../constructs/engine-image.ts';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { grantObjects } from '../constructs/object-grants.ts';
import { output } from '../constructs/output.ts';
import { nameIn } from '../constructs/task-grants.ts';
import type { EngineSize } from '../settings.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { NetworkStack } from './network-stack.ts';

export interface EnginesProps extends BaseProps {
  readonly network: NetworkStack;
}

/** Of the containers: shared/adapters/aws/fargate-engines.ts gives it its order. */
const container = 'engine';
/** Where the images have volumes (containers/tools). */
const volumes = { work: '/work', tmp: '/tmp' };

/**
 * Engines of others, each in a task of its own for each run: no rights, no secret, no way to the database. What they read
 * and what they put out lies in a bucket for minutes, which they reach by links (decision 133).
 */
export class EnginesStack extends BaseStack {
  readonly #clusterName: string;
  readonly #cluster: Cluster;
  readonly #bucket: Bucket;
  readonly #group: SecurityGroup;
  readonly #subnetIds: readonly string[];
  readonly #tasks = new Map<EngineName, { readonly task: FargateTaskDefinition; readonly most: number }>();

  constructor(app: App, id: string, { network, ...props }: EnginesProps) {
    super(app, id, props);
    const { engineEndpoints, engines, logRetentionDays, name } = props.settings;
    const { vpc } = network;
    // Rights name what is in it, before it is there.
    this.#clusterName = `${name}-engines`;
    this.#cluster = new Cluster(this, 'Cluster', {
      vpc,
      clusterName: this.#clusterName,
      containerInsightsV2: ContainerInsights.DISABLED,
      enableFargateCapacityProviders: true,
    });
    acknowledge(this.#cluster, ['ECS4'], 'Its tasks run for minutes, and the job that each is of tells how it went.');
    this.#bucket = this.#exchange();
    const subnetType = engineEndpoints ? SubnetType.PRIVATE_ISOLATED : SubnetType.PRIVATE_WITH_EGRESS;
    this.#subnetIds = vpc.selectSubnets({ subnetType }).subnetIds;
    this.#group = new SecurityGroup(this, 'Group', { vpc, description: 'Engines', allowAllOutbound: false });
    // S3 and what the image and the log need of AWS, whose addresses have no name that a group could hold. From isolated
    // subnets that is all that is there.
    this.#group.connections.allowToAnyIpv4(Port.tcp(443));
    if (engineEndpoints) this.#endpoints(network);
    const logGroup = new LogGroup(this, 'Log', { retention: logRetentionDays });
    for (const [engine, size] of Object.entries(engines) as [EngineName, EngineSize | undefined][]) {
      if (size === undefined) continue;
      const task = this.#task(engine, size, logGroup);
      this.#tasks.set(engine, { task, most: size.maxTasks });
    }
    output(this, 'EnginesCluster', this.#cluster.clusterName);
    output(this, 'EnginesLog', logGroup.logGroupName);
  }

  /** What workers are told. */
  get variables(): ServiceEnvironment {
    const tasks = [...this.#tasks].map(([engine, { task, most }]) => `${engine}=${task.family}:${most}`);
    return {
      ENGINE_TASKS: tasks.join(','),
      ENGINE_CLUSTER: this.#clusterName,
      ENGINE_SUBNETS: this.#subnetIds.join(','),
      ENGINE_SECURITY_GROUPS: this.#group.securityGroupId,
      ENGINE_BUCKET: this.#bucket.bucketName,
    };
  }

  /** Lets it run these tasks and no others, see and stop them, and hand them objects; `scope` holds the policy. */
  grantRuns(scope: IConstruct, { grantPrincipal }: IGrantable): void {
    const arnOf = (resource: string, resourceName: string): string =>
      this.formatArn({ service: 'ecs', resource, resourceName });
    const cluster = arnOf('cluster', this.#clusterName);
    const inCluster = { ArnEquals: { 'ecs:cluster': cluster } };
    const running = arnOf('task', `${this.#clusterName}/*`);
    const tasks = [...this.#tasks.values()].map(({ task }) => task);
    // A deployment of this stack alone makes new revisions, which workers that stand run then.
    const definitions = tasks.map(({ family }) => arnOf('task-definition', `${family}:*`));
    const statements = [
      // Of all tasks in a cluster: there is no narrower resource than its condition.
      { actions: ['ecs:ListTasks'], resources: ['*'], conditions: inCluster },
      { actions: ['ecs:RunTask'], resources: definitions, conditions: inCluster },
      { actions: ['ecs:DescribeTasks', 'ecs:StopTask'], resources: [running], conditions: inCluster },
      {
        actions: ['ecs:TagResource'],
        resources: [running],
        conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
      },
      {
        actions: ['iam:PassRole'],
        resources: tasks.flatMap((task) => [task.taskRole.roleArn, task.obtainExecutionRole().roleArn]),
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      },
    ];
    for (const statement of statements) grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement));
    grantObjects(
      scope,
      { grantPrincipal },
      {
        bucket: this.#bucket,
        actions: ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'],
        keys: 'runs/*',
      },
    );
    acknowledge(scope, ['IAM5[Resource::*]'], 'Tasks are listed by the cluster, which the condition names.');
    const shown = [this.partition, this.region, this.account].map((value) => nameIn(this, value));
    const [partition, region, account] = shown;
    const prefix = `IAM5[Resource::arn:${partition}:ecs:${region}:${account}:`;
    acknowledge(
      scope,
      [`${prefix}task/${this.#clusterName}/*]`],
      'Tasks have their names from ECS when they are made.',
    );
    acknowledge(
      scope,
      tasks.map(({ family }) => `${prefix}task-definition/${family}:*]`),
      'The newest revision of each of these definitions, which this stack makes.',
    );
  }

  /** For minutes; what a dead worker leaves goes with the next day. */
  #exchange(): Bucket {
    const bucket = new Bucket(this, 'Runs', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      lifecycleRules: [{ expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    });
    acknowledge(bucket, ['S1'], 'Copies that live for minutes; requests to the uploads themselves are logged.');
    return bucket;
  }

  #task(engine: EngineName, size: EngineSize, logGroup: LogGroup): FargateTaskDefinition {
    const { ephemeralStorageGiB } = size;
    const task = new FargateTaskDefinition(this, engine, {
      family: `${this.settings.name}-${engine}`,
      cpu: size.cpu,
      memoryLimitMiB: size.memoryMiB,
      // Every task has 20 GiB, and may not ask for as many.
      ...(ephemeralStorageGiB > 20 && { ephemeralStorageGiB }),
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      volumes: Object.keys(volumes).map((name) => ({ name })),
    });
    const linuxParameters = new LinuxParameters(this, `${engine}Linux`, { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    const own = task.addContainer(container, {
      image: engineImage(size.image),
      entryPoint: ['/usr/local/bin/entry', ...enginePrograms[engine]],
      user: '65532',
      readonlyRootFilesystem: true,
      linuxParameters,
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: engine }),
      stopTimeout: Duration.seconds(10),
    });
    for (const [sourceVolume, containerPath] of Object.entries(volumes)) {
      own.addMountPoints({ sourceVolume, containerPath, readOnly: false });
    }
    const reason = 'A token to pull images is for the registry of the account.';
    acknowledge(task.obtainExecutionRole(), ['IAM5[Resource::*]'], reason);
    return task;
  }

  /** In place of the NAT gateway. Others in the VPC find them by the same names. */
  #endpoints({ vpc }: NetworkStack): void {
    const services = {
      EcrApi: InterfaceVpcEndpointAwsService.ECR,
      EcrDocker: InterfaceVpcEndpointAwsService.ECR_DOCKER,
      Logs: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
    };
    for (const [name, service] of Object.entries(services)) {
      const endpoint = new InterfaceVpcEndpoint(this, name, {
        vpc,
        service,
        subnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      });
      acknowledge(endpoint, ['EC23'], 'It is open to the VPC alone; cdk-nag cannot read the range of addresses.');
    }
  }
}
