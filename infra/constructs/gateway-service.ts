import { Duration } from 'aws-cdk-lib';
import { Peer, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
  Secret as ContainerSecret,
} from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  ApplicationTargetGroup,
  ListenerCertificate,
  SslPolicy,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import { acknowledge } from './acknowledge.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ServiceEnvironment } from './environment.ts';
import { grantObjects, grantOutputs, grantRules } from './object-grants.ts';
import { output } from './output.ts';
import type { Queues } from './queues.ts';
import { imageOf } from './service-image.ts';
import type { Workers } from './workers.ts';

export interface GatewayServiceProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly queues: Queues;
  readonly workers: Workers;
  readonly dispatcher: Dispatcher;
  readonly variables: ServiceEnvironment;
  /** Tasks that always run; two and more stand in for each other. */
  readonly minTasks: number;
  readonly logRetention: RetentionDays;
  /** Of the load balancer, for TLS from CloudFront; null for plain HTTP inside the VPC. */
  readonly certificateArn: string | null;
}

const port = 8000;
const maxTasks = 6;
/** For uploads that are under way when a task is to go. */
const drain = Duration.minutes(5);
/**
 * How long a connection may be silent. Less than the gateway itself keeps idle ones (65 seconds), and more than
 * CloudFront does: who hangs up first must not be the one that is about to be asked.
 */
const idle = Duration.seconds(60);

/**
 * The gateway on Fargate, for forms with files that no function can take (decision 38). CloudFront reaches its
 * load balancer by a VPC origin; it has no other way in.
 */
export class GatewayService extends Construct {
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly service: FargateService;

  constructor(scope: Construct, id: string, props: GatewayServiceProps) {
    super(scope, id);
    const { vpc } = props.network;
    const own = new SecurityGroup(this, 'Tasks', { vpc, description: 'Gateway' });
    // As it is: opened for the load balancer, it would need this stack before its own.
    const { securityGroupId } = props.data.clients;
    const clients = SecurityGroup.fromSecurityGroupId(this, 'Clients', securityGroupId, { mutable: false });
    this.service = new FargateService(this, 'Service', {
      cluster: props.workers.cluster,
      taskDefinition: this.#task(props),
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { enable: true, rollback: true },
      // Not on capacity that AWS takes back with two minutes' notice: an upload takes longer.
      capacityProviderStrategies: [{ capacityProvider: 'FARGATE', weight: 1 }],
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [own, clients],
      healthCheckGracePeriod: Duration.minutes(2),
    });
    // How many there are is for this to say, not for a deployment in a busy hour.
    this.service
      .autoScaleTaskCount({ minCapacity: props.minTasks, maxCapacity: maxTasks })
      .scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });
    this.loadBalancer = this.#balance(props, own);
    output(this, 'GatewayService', this.service.serviceName);
  }

  /** Half a core hashes some 100 MB a second. */
  #task(props: GatewayServiceProps): FargateTaskDefinition {
    const { data, logRetention } = props;
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: 512,
      memoryLimitMiB: 1024,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      volumes: [{ name: 'data' }, { name: 'tmp' }],
    });
    const logGroup = new LogGroup(this, 'Log', { retention: logRetention });
    const container = task.addContainer('gateway', {
      image: imageOf('gateway'),
      readonlyRootFilesystem: true,
      environment: variablesOf(props),
      secrets: {
        ...data.containerSecrets,
        EDGE_KEY: ContainerSecret.fromSecretsManager(data.edgeKey, 'EDGE_KEY'),
      },
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: 'gateway' }),
      portMappings: [{ containerPort: port }],
      stopTimeout: Duration.seconds(30),
    });
    container.addMountPoints(
      { sourceVolume: 'data', containerPath: '/data', readOnly: false },
      { sourceVolume: 'tmp', containerPath: '/tmp', readOnly: false },
    );
    this.#grant(task, props);
    acknowledge(task, ['ECS2'], 'Secrets come from Secrets Manager; the variables here are names and sizes.');
    acknowledge(task, ['IAM5[Resource::*]'], 'The right to pull images, ecr:GetAuthorizationToken, takes no resource.');
    output(this, 'GatewayLog', logGroup.logGroupName);
    return task;
  }

  /** What all areas together may do: it has the handlers of all. */
  #grant({ taskRole }: FargateTaskDefinition, { data, dispatcher, queues, storage }: GatewayServiceProps): void {
    const { outputs, packs, uploads } = storage;
    data.database.grantConnect(taskRole);
    grantObjects(this, taskRole, {
      bucket: uploads,
      actions: ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'],
    });
    grantRules(this, taskRole, packs);
    queues.grantQueueing(taskRole);
    queues.grantListing(taskRole);
    const { functionArn } = dispatcher.lambda;
    grantOutputs(this, taskRole, outputs);
    taskRole.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
  }

  #balance({ certificateArn, network }: GatewayServiceProps, tasks: SecurityGroup): ApplicationLoadBalancer {
    const { vpc } = network;
    const group = new SecurityGroup(this, 'Balancer', {
      vpc,
      description: 'Load balancer of the gateway',
      allowAllOutbound: false,
    });
    // A VPC origin of CloudFront asks from addresses of the VPC; the gateway asks for the edge's key besides.
    const outer = certificateArn === null ? 80 : 443;
    group.addIngressRule(Peer.ipv4(vpc.vpcCidrBlock), Port.tcp(outer));
    tasks.addIngressRule(group, Port.tcp(port));
    group.addEgressRule(tasks, Port.tcp(port));
    const balancer = new ApplicationLoadBalancer(this, 'LoadBalancer', {
      vpc,
      internetFacing: false,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroup: group,
      dropInvalidHeaderFields: true,
      idleTimeout: idle,
    });
    const targets = new ApplicationTargetGroup(this, 'Targets', {
      vpc,
      port,
      protocol: ApplicationProtocol.HTTP,
      targetType: TargetType.IP,
      deregistrationDelay: drain,
      // What it stands on may be away: another task in its place would only break uploads off.
      healthCheck: { path: '/health', healthyHttpCodes: '200,503', interval: Duration.seconds(30) },
    });
    this.service.attachToApplicationTargetGroup(targets);
    const listening = { port: outer, open: false, defaultTargetGroups: [targets] };
    if (certificateArn === null) balancer.addListener('Http', listening);
    else
      balancer.addListener('Https', {
        ...listening,
        certificates: [ListenerCertificate.fromArn(certificateArn)],
        sslPolicy: SslPolicy.TLS13_RES,
      });
    acknowledge(
      balancer,
      ['ELB2'],
      'CloudFront in front of it keeps a line of each request, the gateway one of errors.',
    );
    acknowledge(group, ['EC23'], 'It is open to the VPC alone; cdk-nag cannot read the range of addresses.');
    return balancer;
  }
}

function variablesOf({ data, dispatcher, variables }: GatewayServiceProps): ServiceEnvironment {
  // What names the secrets is for functions: ECS puts them into the container.
  const { SECRETS_MANAGER_IDS: _, ...rest } = variables;
  return {
    ...rest,
    ...data.containerVariables,
    LOG_FORMAT: 'json',
    DATA_DIR: '/data',
    HOST: '0.0.0.0',
    PORT: String(port),
    // It takes files in; the lanes analyse them.
    TASKQ_WORKERS: '0',
    // And EventBridge Scheduler has the periodic tasks done.
    TASKQ_LANES: 'fast',
    WORKER_DISPATCHER: dispatcher.lambda.functionName,
  };
}
