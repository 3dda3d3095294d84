/**
 * List prices in USD, on demand, of us-east-1 without free tiers and taxes. AWS changes them: look at the
 * pages named here before you count on a figure.
 */
export const prices = {
  region: 'us-east-1',
  asOf: '2025-06',
  /** Hours of a month. */
  hours: 730,

  // "Amazon VPC pricing"
  natGatewayHour: 0.045,
  natGatewayGb: 0.045,
  publicAddressHour: 0.005,
  interfaceEndpointHour: 0.01,

  // "Amazon RDS for PostgreSQL pricing": an instance in one zone; a standby doubles instance and storage.
  database: {
    'db.t4g.micro': { hour: 0.016, vcpus: 2 },
    'db.t4g.small': { hour: 0.032, vcpus: 2 },
    'db.t4g.medium': { hour: 0.065, vcpus: 2 },
    'db.m7g.large': { hour: 0.168, vcpus: 2 },
    'db.m7g.xlarge': { hour: 0.337, vcpus: 4 },
    'db.m7g.2xlarge': { hour: 0.674, vcpus: 8 },
    'db.m7g.4xlarge': { hour: 1.348, vcpus: 16 },
  } as Readonly<Record<string, { readonly hour: number; readonly vcpus: number }>>,
  databaseGbMonth: 0.115,
  // "Amazon RDS Proxy pricing": by the processors of the database, at least two.
  proxyVcpuHour: 0.015,

  // "Amazon ElastiCache pricing": nodes with Valkey.
  cacheNodeHour: {
    'cache.t4g.micro': 0.0128,
    'cache.t4g.small': 0.0256,
    'cache.t4g.medium': 0.052,
    'cache.m7g.large': 0.1264,
  } as Readonly<Record<string, number>>,

  // "AWS Secrets Manager pricing", "AWS Key Management Service pricing"
  secretMonth: 0.4,
  keyMonth: 1,

  // "Amazon CloudWatch pricing", "AWS X-Ray pricing"
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  customMetricMonth: 0.3,
  logGb: 0.5,
  millionTraces: 5,

  // "Elastic Load Balancing pricing"
  loadBalancerHour: 0.0225,

  // "AWS Fargate pricing": Linux on ARM.
  fargateVcpuHour: 0.032_38,
  fargateGbHour: 0.003_56,

  // "AWS Lambda pricing": ARM.
  lambdaGbSecond: 0.000_013_333_4,
  millionInvocations: 0.2,

  // "Amazon API Gateway pricing": HTTP APIs. "Amazon CloudFront pricing": North America and Europe.
  millionApiRequests: 1,
  millionEdgeRequests: 1,
  edgeGb: 0.085,

  // "Amazon SQS pricing" (standard queues), "Amazon EventBridge pricing" (Scheduler)
  millionMessages: 0.4,
  millionSchedules: 1,

  // "Amazon DynamoDB pricing": on demand.
  millionWrites: 0.625,
  millionReads: 0.125,

  // "Amazon S3 pricing"
  objectGbMonth: 0.023,
  coldObjectGbMonth: 0.004,
  thousandPuts: 0.005,
  thousandGets: 0.0004,
  thousandMovesToCold: 0.02,

  // "AWS WAF pricing"
  webAclMonth: 5,
  webAclRuleMonth: 1,
} as const;

/** Where the prices are from, to be looked at again. */
export const priceSource = `AWS list prices of ${prices.region} on demand, as of ${prices.asOf}, free tiers left out; check them before you rely on them`;
