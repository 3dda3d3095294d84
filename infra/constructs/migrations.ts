import { CustomResource, Duration, Fn } from 'aws-cdk-lib';
import { Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Provider } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import type { Settings } from '../settings.ts';
import { acknowledge, managedPolicyFindings } from './acknowledge.ts';
import { serviceRole } from './database.ts';
import { grantRules } from './object-grants.ts';
import { output } from './output.ts';
import { ServiceFunction } from './service-function.ts';
import { imageOf } from './service-image.ts';
import { grantTasks, logicalIdOf } from './task-grants.ts';

export interface MigrationsProps {
  readonly settings: Settings;
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly logRetention: RetentionDays;
}

/** As long as CloudFormation waits for a custom resource: CloudFormation Template Reference, "ServiceTimeout". */
const longest = Duration.hours(1);
const streamPrefix = 'migrations';
/** For all regions but those of China and of the US government: Amazon RDS User Guide, "Using SSL/TLS". */
const authorities = 'https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem';

/**
 * Brings the database up to date, once in each deployment that changes the program: as a task on Fargate, which may take
 * longer than the 15 minutes of a function. What is to come after it names itself with `before`. Where it fails, why the
 * task stopped and where its log is are the reason that CloudFormation gives, and the deployment is rolled back; a
 * rollback waits for a task that still runs, and has the program of before look.
 */
export class Migrations extends Construct {
  /** Has ECS run the task, and looks after it. */
  readonly lambda: ServiceFunction;
  readonly task: FargateTaskDefinition;
  readonly #done: CustomResource;

  constructor(scope: Construct, id: string, props: MigrationsProps) {
    super(scope, id);
    const { vpc } = props.network;
    // Past the proxy: the lock of a migration belongs to a session, which the proxy hands from one to another;
    // and in a first deployment the proxy takes some minutes to find its database.
    const group = new SecurityGroup(this, 'Group', { vpc, description: 'Migrations', allowAllOutbound: false });
    group.connections.allowToAnyIpv4(Port.tcp(443));
    group.connections.allowTo(props.data.database.instance, Port.tcp(5432));
    // Nothing else runs in it, so that its tasks are those of migrations.
    const cluster = new Cluster(this, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.DISABLED });
    const log = new LogGroup(this, 'Log', { retention: props.logRetention });
    this.task = this.#task(props, log);
    const { subnetIds } = vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS });
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'deploy-migrate',
      environment: {
        WORKER_CLUSTER: cluster.clusterArn,
        WORKER_TASK_DEFINITION: this.task.taskDefinitionArn,
        WORKER_SUBNETS: subnetIds.join(','),
        WORKER_SECURITY_GROUPS: group.securityGroupId,
      },
      memoryMiB: 512,
      timeout: Duration.minutes(1),
      logRetention: props.logRetention,
      traced: false,
    });
    grantTasks(this, this.lambda, { cluster, task: this.task, isOneTime: true });
    const provider = new Provider(this, 'Provider', {
      onEventHandler: this.lambda,
      isCompleteHandler: this.lambda,
      queryInterval: Duration.seconds(10),
      totalTimeout: longest,
      logGroup: new LogGroup(this, 'ProviderLog', { retention: props.logRetention }),
    });
    this.#acknowledge(provider);
    this.#done = new CustomResource(this, 'Done', {
      serviceToken: provider.serviceToken,
      resourceType: 'Custom::Migrations',
      serviceTimeout: longest,
      // With another of these the program is run; a rollback has the one of before run again.
      properties: {
        TaskDefinition: this.task.taskDefinitionArn,
        LogGroup: log.logGroupName,
        StreamPrefix: `${streamPrefix}/${streamPrefix}/`,
      },
    });
    // With all that it may do.
    this.#done.node.addDependency(group, this.task);
    acknowledge(cluster, ['ECS4'], 'Its tasks run for some minutes in a deployment, whose outcome tells of them.');
    output(this, 'MigrationsLog', log.logGroupName);
    output(this, 'MigrationsCluster', cluster.clusterName);
  }

  /** Has these created or changed only when the database is ready for them. */
  before(...constructs: readonly Construct[]): void {
    for (const construct of constructs) construct.node.addDependency(this.#done);
  }

  /** Functions and state machine of a provider are the CDK's own. */
  #acknowledge(provider: Provider): void {
    const basic = managedPolicyFindings('service-role/AWSLambdaBasicExecutionRole');
    acknowledge(provider, basic, 'The CDK’s own functions: they only write their log, for which this policy is made.');
    const own = ['framework-isComplete', 'framework-onTimeout'].map((id) => provider.node.findChild(id));
    acknowledge(
      provider,
      [this.lambda, ...own].map((lambda) => `IAM5[Resource::<${logicalIdOf(lambda)}.Arn>:*]`),
      'Any version of the functions that it calls.',
    );
    acknowledge(provider, ['SF1', 'SF2'], 'It only asks again until a deployment is over, whose outcome tells of it.');
  }

  #task({ data, settings, storage }: MigrationsProps, logGroup: LogGroup): FargateTaskDefinition {
    const secrets = [data.sessionKey, data.administrator];
    const task = new FargateTaskDefinition(this, 'Task', {
      // Hashes one password, and compiles the shipped rules.
      cpu: 1024,
      memoryLimitMiB: 2048,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      volumes: [{ name: 'data' }, { name: 'tmp' }],
    });
    const container = task.addContainer(streamPrefix, {
      image: imageOf('worker'),
      command: ['node', 'dist/worker/prepare.mjs'],
      readonlyRootFilesystem: true,
      environment: {
        ...settings.environment,
        ...storage.variables,
        LOG_FORMAT: 'json',
        SECRETS_MANAGER_IDS: Fn.join(
          ',',
          secrets.map(({ secretArn }) => secretArn),
        ),
        DATABASE_SECRET_ID: data.database.secret.secretArn,
        DATABASE_CA_URL: authorities,
        DATABASE_SERVICE_ROLE: serviceRole,
        // How that role signs in; the task itself has the password of the owner.
        DATABASE_AUTH: 'iam',
        DATA_DIR: '/data',
        DB_POOL_SIZE: '2',
      },
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix }),
    });
    container.addMountPoints(
      { sourceVolume: 'data', containerPath: '/data', readOnly: false },
      { sourceVolume: 'tmp', containerPath: '/tmp', readOnly: false },
    );
    for (const secret of [...secrets, data.database.secret]) secret.grantRead(task.taskRole);
    grantRules(this, task.taskRole, storage.packs);
    acknowledge(task.obtainExecutionRole(), ['IAM5[Resource::*]'], 'A token to pull images is for the registry.');
    acknowledge(this, ['ECS2'], 'Secrets come from Secrets Manager; the variables here are names and sizes.');
    return task;
  }
}
