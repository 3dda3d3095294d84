import { isDeepStrictEqual } from 'node:util';
import { prices } from './prices.ts';
import { referred, runsPerMonth, type CostResource, type CostTemplate, type CostTemplates } from './template.ts';
import { measures } from './workload.ts';

/** What one kind of thing costs a month while nobody uses it. */
export interface IdleLine {
  readonly part: string;
  readonly what: string;
  readonly type: string;
  readonly count: number;
  readonly usd: number;
}

type Properties = Readonly<Record<string, unknown>>;
interface Price {
  readonly what: string;
  readonly usd: number;
}

const { hours } = prices;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function known<T>(table: Readonly<Record<string, T>>, name: unknown): T {
  const price = table[text(name)];
  if (price === undefined) throw new Error(`infra/cost/prices.ts has no price for ${text(name) || 'what has no name'}`);
  return price;
}

/** Price of what costs without being used, by type. */
const priced: Readonly<Record<string, (properties: Properties, template: CostTemplate) => Price>> = {
  'AWS::EC2::NatGateway': () => ({ what: 'NAT gateway', usd: prices.natGatewayHour * hours }),
  'AWS::EC2::EIP': () => ({ what: 'public address', usd: prices.publicAddressHour * hours }),
  // Some 200 MB a month of health checks and timers.
  'AWS::EC2::FlowLog': () => ({ what: 'flow log', usd: 0.2 * prices.logGb }),
  'AWS::EC2::VPCEndpoint': ({ VpcEndpointType, SubnetIds }) => ({
    what: `${text(VpcEndpointType).toLowerCase()} endpoint`,
    usd: VpcEndpointType === 'Interface' ? prices.interfaceEndpointHour * hours * (SubnetIds as unknown[]).length : 0,
  }),
  'AWS::RDS::DBInstance': ({ DBInstanceClass, AllocatedStorage, MultiAZ }) => ({
    what: `PostgreSQL ${text(DBInstanceClass)}, ${text(AllocatedStorage)} GB${MultiAZ === true ? ', with a standby' : ''}`,
    usd:
      (known(prices.database, DBInstanceClass).hour * hours + Number(AllocatedStorage) * prices.databaseGbMonth) *
      (MultiAZ === true ? 2 : 1),
  }),
  'AWS::RDS::DBProxy': (_, { Resources = {} }) => {
    const database = Object.values(Resources).find(({ Type }) => Type === 'AWS::RDS::DBInstance');
    const { vcpus } = known(prices.database, database?.Properties?.['DBInstanceClass']);
    return { what: 'RDS Proxy', usd: Math.max(2, vcpus) * prices.proxyVcpuHour * hours };
  },
  'AWS::ElastiCache::ReplicationGroup': ({ CacheNodeType, NumNodeGroups, ReplicasPerNodeGroup }) => {
    const nodes = Number(NumNodeGroups) * (1 + Number(ReplicasPerNodeGroup));
    return {
      what: `Valkey ${text(CacheNodeType)}${nodes > 1 ? ` × ${nodes}` : ''}`,
      usd: known(prices.cacheNodeHour, CacheNodeType) * nodes * hours,
    };
  },
  'AWS::SecretsManager::Secret': () => ({ what: 'secret', usd: prices.secretMonth }),
  'AWS::KMS::Key': () => ({ what: 'key of KMS', usd: prices.keyMonth }),
  'AWS::CloudWatch::Alarm': ({ Metrics }) => ({
    what: 'alarm',
    usd:
      prices.alarmMetricMonth *
      Math.max(1, ((Metrics ?? []) as Properties[]).filter((one) => one['MetricStat']).length),
  }),
  'AWS::CloudWatch::Dashboard': () => ({ what: 'dashboard', usd: prices.dashboardMonth }),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ({ Scheme, Subnets }) => ({
    what: 'load balancer',
    usd:
      prices.loadBalancerHour * hours +
      (Scheme === 'internal' ? 0 : (Subnets as unknown[]).length * prices.publicAddressHour * hours),
  }),
  'AWS::ECS::Service': ({ DesiredCount, TaskDefinition }, template) => {
    const { Cpu, Memory } = referred(template, TaskDefinition);
    // One that scales by itself says no more than the least.
    const scales = Object.values(template.Resources ?? {}).find(
      ({ Type }) => Type === 'AWS::ApplicationAutoScaling::ScalableTarget',
    );
    const tasks = Number(DesiredCount ?? scales?.Properties?.['MinCapacity'] ?? 1);
    const hourly = (Number(Cpu) / 1024) * prices.fargateVcpuHour + (Number(Memory) / 1024) * prices.fargateGbHour;
    return { what: `Fargate service of ${tasks} × ${text(Cpu)}/${text(Memory)}`, usd: tasks * hourly * hours };
  },
  // Five pollers wait 20 seconds each for messages that do not come.
  'AWS::Lambda::EventSourceMapping': () => ({
    what: 'function listening to a queue',
    usd: (5 * 3 * 60 * hours * prices.millionMessages) / 1e6,
  }),
  'AWS::Scheduler::Schedule': ({ ScheduleExpression, Target }, template) => ({
    what: 'schedule, with its runs',
    usd: runsPerMonth(text(ScheduleExpression)) * runOf((Target as Properties)['Arn'], template),
  }),
  'AWS::Events::Rule': ({ ScheduleExpression }) => {
    if (ScheduleExpression !== undefined) throw new Error('infra/cost/idle.ts prices schedules of the Scheduler alone');
    return { what: 'event rule', usd: 0 };
  },
  // "Amazon CloudWatch pricing": Container Insights sends its metrics of a cluster whether or not a task runs there.
  'AWS::ECS::Cluster': ({ ClusterSettings }) => {
    const settings = (ClusterSettings ?? []) as Properties[];
    const isOn = settings.some(({ Name, Value }) => Name === 'containerInsights' && Value !== 'disabled');
    return { what: 'Container Insights', usd: isOn ? measures.clusterMetrics * prices.customMetricMonth : 0 };
  },
  // "API Gateway Developer Guide": detailed metrics are four of each route, as custom metrics.
  'AWS::ApiGatewayV2::Stage': ({ DefaultRouteSettings }, { Resources = {} }) => {
    const isOn = (DefaultRouteSettings as Properties | undefined)?.['DetailedMetricsEnabled'] === true;
    const routes = Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route').length;
    return { what: 'metrics of each route', usd: isOn ? measures.routeMetrics * routes * prices.customMetricMonth : 0 };
  },
  'AWS::WAFv2::WebACL': ({ Rules }) => ({
    what: 'web ACL',
    usd: prices.webAclMonth + ((Rules ?? []) as unknown[]).length * prices.webAclRuleMonth,
  }),
};

/** USD of one run of what a schedule starts: a function, or one that listens to the queue that it sends to. */
function runOf(target: unknown, template: CostTemplate): number {
  const resources = Object.values(template.Resources ?? {});
  const listener = resources.find(
    ({ Type, Properties: own }) =>
      Type === 'AWS::Lambda::EventSourceMapping' && isDeepStrictEqual(own?.['EventSourceArn'], target),
  );
  const { MemorySize, TracingConfig } = referred(template, listener?.Properties?.['FunctionName'] ?? target);
  if (typeof MemorySize !== 'number') throw new Error('infra/cost/idle.ts does not know what this schedule starts');
  // One in a second is always traced, and they are not as frequent: Lambda Developer Guide, "Visualize Lambda function
  // invocations using AWS X-Ray".
  const traces = (TracingConfig as Properties | undefined)?.['Mode'] === 'Active' ? prices.millionTraces : 0;
  const millions = prices.millionSchedules + prices.millionInvocations + traces;
  const messages = listener === undefined ? 0 : 3 * prices.millionMessages;
  return (millions + messages) / 1e6 + (MemorySize / 1024) * measures.periodicSeconds * prices.lambdaGbSecond;
}

/** What costs nothing until it is used. */
const unused =
  /^(AWS::(IAM|SSM|ApiGatewayV2|Lambda|S3|SQS|SNS|DynamoDB|Logs|CloudFront|StepFunctions|Budgets|Serverless|ECR|XRay|Cloud9|Glue|Athena|ServiceDiscovery|CertificateManager|Route53|ApplicationAutoScaling|CDK|CloudFormation)::|AWS::EC2::(VPC|Subnet|RouteTable|Route|SubnetRouteTableAssociation|InternetGateway|VPCGatewayAttachment|SecurityGroup|SecurityGroupIngress|SecurityGroupEgress|VPCCidrBlock)$|AWS::RDS::(DBSubnetGroup|DBParameterGroup|DBProxyTargetGroup)$|AWS::ElastiCache::(SubnetGroup|ParameterGroup)$|AWS::SecretsManager::(SecretTargetAttachment|RotationSchedule|ResourcePolicy)$|AWS::ECS::(TaskDefinition|ClusterCapacityProviderAssociations)$|AWS::ElasticLoadBalancingV2::(TargetGroup|Listener|ListenerRule)$|AWS::(Scheduler::ScheduleGroup|KMS::Alias|CloudWatch::CompositeAlarm|WAFv2::WebACLAssociation)$|Custom::)/;

/** What the templates cost a month while nobody uses them. Throws at a type that is neither priced nor known to be free. */
export function idleCost(templates: CostTemplates): IdleLine[] {
  const lines = new Map<string, IdleLine>();
  for (const [part, template] of Object.entries(templates)) {
    for (const resource of Object.values(template.Resources ?? {})) {
      const price = priceOf(resource, template);
      if (price.usd === 0) continue;
      const key = `${part} ${price.what}`;
      const { count, usd } = lines.get(key) ?? { count: 0, usd: 0 };
      lines.set(key, { part, what: price.what, type: resource.Type, count: count + 1, usd: usd + price.usd });
    }
  }
  return [...lines.values()].toSorted((a, b) => b.usd - a.usd);
}

function priceOf({ Type, Properties = {} }: CostResource, template: CostTemplate): Price {
  const price = priced[Type];
  if (price) return price(Properties, template);
  if (!unused.test(Type)) throw new Error(`infra/cost/idle.ts does not know what ${Type} costs`);
  return { what: Type, usd: 0 };
}

/** The sum of the lines. */
export function total(lines: readonly { readonly usd: number }[]): number {
  return lines.reduce((sum, { usd }) => sum + usd, 0);
}
