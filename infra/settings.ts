import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { Environment } from '@svc/config/env.ts';
import { z } from 'zod';

/** What differs between an installation for one team and one that must not stand still. */
export interface Sizes {
  readonly availabilityZones: number;
  readonly natGateways: number;
  readonly database: { readonly instance: string; readonly storageGiB: number; readonly multiAz: boolean };
  readonly cache: { readonly node: string; readonly replicas: number };
  /** Whether the gateway for large multipart bodies runs unless the context says otherwise. */
  readonly gateway: boolean;
  /** Analyses that functions do at the same time, each with a connection to the database. */
  readonly fastLane: { readonly concurrency: number };
  readonly worker: {
    readonly cpu: number;
    readonly memoryMiB: number;
    readonly maxTasks: number;
    /** 20 to 200 (Amazon ECS Developer Guide, "Fargate task ephemeral storage"). */
    readonly ephemeralStorageGiB: number;
  };
}

/** The two sizes, part by part. */
export const sizes: Readonly<Record<'small' | 'ha', Sizes>> = {
  small: {
    availabilityZones: 2,
    natGateways: 1,
    database: { instance: 't4g.micro', storageGiB: 20, multiAz: false },
    cache: { node: 'cache.t4g.micro', replicas: 0 },
    gateway: false,
    // A new account runs ten functions at once: six are left for who is looking at a page meanwhile.
    fastLane: { concurrency: 4 },
    worker: { cpu: 2048, memoryMiB: 8192, maxTasks: 4, ephemeralStorageGiB: 20 },
  },
  ha: {
    availabilityZones: 3,
    natGateways: 3,
    database: { instance: 'm7g.large', storageGiB: 100, multiAz: true },
    cache: { node: 'cache.t4g.small', replicas: 1 },
    gateway: true,
    fastLane: { concurrency: 50 },
    worker: { cpu: 4096, memoryMiB: 16_384, maxTasks: 20, ephemeralStorageGiB: 40 },
  },
};

/** What CloudWatch Logs knows. */
const logRetentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
const days = (most: number) => z.coerce.number().int().min(0).max(most);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** What an operator may set of the service's own variables (service 8.4); all others are the stacks' to say. */
const OperatorEnvironment = Environment.pick({
  MAX_UPLOAD_SIZE_MB: true,
  UPLOAD_MAX_CONCURRENT: true,
  UPLOAD_RATE_LIMIT_PER_MINUTE: true,
  AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE: true,
  UPLOAD_RESERVED_MAX_MB: true,
  AUTHENTICATED_UPLOAD_RESERVED_MAX_MB: true,
  PREVIEW_RATE_LIMIT_PER_MINUTE: true,
  LOGIN_RATE_LIMIT_PER_MINUTE: true,
  RESUBMIT_RATE_LIMIT_PER_MINUTE: true,
  COMMENT_RATE_LIMIT_PER_MINUTE: true,
  API_TOKEN_RATE_LIMIT_PER_MINUTE: true,
  TAXII_ENABLED: true,
  WATCH_RULES_MAX_PER_USER: true,
  ANALYSIS_CPU_SECONDS: true,
  ANALYSIS_CPU_SECONDS_PER_MB: true,
  UNPACK_MAX_RATIO: true,
  UNPACK_MAX_MB: true,
  MAX_PARSE_EVENTS: true,
  MAX_LOG_OUTPUT_BYTES: true,
  RAW_OUTPUT_MAX_MB: true,
  BACKGROUND_TASK_RETENTION_DAYS: true,
  LOG_LEVEL: true,
  REQUEST_LOG_ENABLED: true,
  ENRICHMENT_RATE_LIMIT_PER_MINUTE: true,
  ENRICHMENT_REQUIRE_PUBLIC_HOST: true,
  WEBHOOK_REQUIRE_PUBLIC_HOST: true,
  WEBHOOK_TIMEOUT_SECONDS: true,
  AI_REQUIRE_PUBLIC_HOST: true,
  RULE_LIST_REQUIRE_PUBLIC_HOST: true,
  RULE_LIST_FETCH_MAX_BYTES: true,
  RULE_LIST_FETCH_TIMEOUT_SECONDS: true,
  RULE_PACKS: true,
  RULE_PACK_REFRESH_HOURS: true,
  RULE_PACK_REQUIRE_PUBLIC_HOST: true,
  RULE_PACK_FETCH_MAX_BYTES: true,
  RULE_PACK_FETCH_TIMEOUT_SECONDS: true,
}).strict();

/** Values as texts, as a process has them; on the command line all of them as JSON. */
const operatorEnvironment = z
  .preprocess(
    (given) => (typeof given === 'string' ? parseJson(given) : given),
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
  )
  .superRefine((given, context) => {
    const parsed = OperatorEnvironment.safeParse(given);
    for (const { message, path } of parsed.error?.issues ?? []) context.addIssue({ code: 'custom', message, path });
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** MiB that Fargate has for each CPU: least, most, and steps (Amazon ECS Developer Guide, "Task CPU and memory"). */
const fargateMemory: Readonly<Record<number, readonly [number, number, number]>> = {
  512: [1024, 4096, 1024],
  1024: [2048, 8192, 1024],
  2048: [4096, 16_384, 1024],
  4096: [8192, 30_720, 1024],
  8192: [16_384, 61_440, 4096],
  16384: [32_768, 122_880, 8192],
};

function isFargateSize(cpu: number, memoryMiB: number): boolean {
  const [least, most, step] = fargateMemory[cpu] ?? [1, 0, 1];
  return memoryMiB >= least && memoryMiB <= most && (memoryMiB - least) % step === 0;
}

/** An engine that runs in an image of its own, as a task for each run (decision 133). */
const EngineSize = z
  .strictObject({
    image: z.string().regex(/@sha256:[0-9a-f]{64}$/, 'must name an image by its digest, as …@sha256:…'),
    cpu: z.coerce.number().default(1024),
    memoryMiB: z.coerce.number().default(4096),
    maxTasks: z.coerce.number().int().min(1).max(100).default(2),
    ephemeralStorageGiB: z.coerce.number().int().min(20).max(200).default(20),
  })
  .refine(({ cpu, memoryMiB }) => isFargateSize(cpu, memoryMiB), 'cpu and memoryMiB are no size that Fargate has');
export type EngineSize = Readonly<z.output<typeof EngineSize>>;

/** By the names that workflows have for them; on the command line all of it as JSON. */
const engines = z.preprocess(
  (given) => (typeof given === 'string' ? parseJson(given) : given),
  z.strictObject({
    'evtx-timeline': EngineSize.optional(),
    'evtx-hunt': EngineSize.optional(),
    'sigma-multi': EngineSize.optional(),
    'sigma-text': EngineSize.optional(),
  }),
);

/** What `cdk --context name=value`, or the file cdk.json, may say. */
const Context = z.strictObject({
  size: z.enum(['small', 'ha']).default('small').describe('small for one team, ha for two availability zones or more.'),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,20}$/)
    .default('svc')
    .describe('Prefix of the stacks and of what they name; several installations in one account need several.'),
  region: z.string().optional().describe('Region of everything but the edge; that of the AWS profile when unset.'),
  zones: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',') : given),
      z
        .array(z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'must name zones, like eu-central-1a'))
        .min(2)
        .max(4),
    )
    .optional()
    .describe('Two to four availability zones, by name and with commas; as many as the size has when unset.'),
  account: z
    .string()
    .regex(/^\d{12}$/)
    .optional()
    .describe('Account; that of the AWS profile when unset.'),
  originCertificateArn: z
    .string()
    .startsWith('arn:')
    .optional()
    .describe(
      'Certificate of the domain in the service’s own region, for TLS from CloudFront to the gateway; certificateArn where that is us-east-1. Without either, that way is plain HTTP inside the VPC.',
    ),
  domain: z.string().optional().describe('Host name of the service, with certificateArn; CloudFront’s own when unset.'),
  certificateArn: z.string().startsWith('arn:').optional().describe('Certificate of the domain, in us-east-1.'),
  uploadRetentionDays: days(36_500)
    .default(0)
    .describe('Days after its last analysis that an upload is kept; 0 for ever.'),
  outputRetentionDays: days(36_500)
    .default(90)
    .describe('Days that raw outputs are kept, unless a site setting says otherwise; 0 for ever.'),
  logRetentionDays: z.coerce
    .number()
    .refine((given) => logRetentionDays.includes(given), `must be one of ${logRetentionDays.join(', ')}`)
    .default(30)
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- these are its numbers, without loading the CDK
    .transform((given) => given as RetentionDays)
    .describe('Days that log lines are kept, in CloudWatch and of access to buckets.'),
  backupRetentionDays: days(35)
    .min(1)
    .default(7)
    .describe('Days that the database can be brought back to, and that deleted objects stay recoverable.'),
  adminEmail: z.email().default('admin@localhost').describe('First administrator; the password is generated.'),
  alarmEmail: z.email().optional().describe('Who is told of alarms and of the budget.'),
  budgetUsd: z.coerce.number().min(1).optional().describe('Monthly budget in USD that alarmEmail hears of.'),
  gateway: flag.optional().describe('The gateway for multipart bodies above Lambda’s limit; by size when unset.'),
  environment: operatorEnvironment
    .default({})
    .describe('The service’s own settings of limits and retention, as an object, see below.'),
  workerSpot: flag
    .default(false)
    .describe('Workers on Fargate Spot: a third of the price, and at times none to be had.'),
  engines: engines
    .default({})
    .describe('Engines that workflows may run beside the built-in one, each with its size, as an object, see below.'),
  engineEndpoints: flag
    .default(false)
    .describe(
      'Endpoints in the VPC for what the tasks of these engines need of AWS, so that they have no way out of it; some 22 USD a month for each availability zone.',
    ),
  waf: z
    .enum(['off', 'rate', 'managed'])
    .default('rate')
    .describe(
      'Web application firewall in front of CloudFront: a limit of requests for each address, with managed also AWS’s own rules; it lives in us-east-1.',
    ),
  localstack: flag.default(false).describe('Only what LocalStack’s community edition knows.'),
});

/** For the gateway's load balancer: a certificate that CloudFront will find to be the domain's; null for none. */
export function originCertificateOf({
  certificateArn,
  originCertificateArn,
  region,
}: Pick<z.output<typeof Context>, 'certificateArn' | 'originCertificateArn' | 'region'>): string | null {
  return originCertificateArn ?? (region === 'us-east-1' ? (certificateArn ?? null) : null);
}

export type Settings = Readonly<z.output<typeof Context> & { sizes: Sizes; gateway: boolean }>;

/** Reads the context of the app. Throws a sentence for each wrong value, also for names that are no setting. */
export function readSettings(node: Node): Settings {
  // The CDK's own context has names like @aws-cdk/core:…, aws:cdk:… and cli-telemetry.
  const context = Object.entries(node.getAllContext() as Record<string, unknown>);
  const given = context.filter(([name, value]) => /^[a-z]+$/i.test(name) && value !== '');
  const parsed = Context.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new Error(`Wrong settings in the CDK context: ${sentences.join('; ')}`);
  }
  const contradiction = contradictions(parsed.data).find(([applies]) => applies);
  if (contradiction) throw new Error(`Wrong settings in the CDK context: ${contradiction[1]}`);
  const own = sizes[parsed.data.size];
  return { ...parsed.data, sizes: own, gateway: parsed.data.gateway ?? own.gateway };
}

/** Regions where accounts see two zones ("AWS Regions and Availability Zones"). */
const twoZoneRegions = new Set(['us-west-1']);

/** GiB on the disk of a worker: each of its jobs has a copy of its log there and as much again of what it unpacks. */
function storageNeeded({ environment, size }: z.output<typeof Context>): number {
  const { MAX_UPLOAD_SIZE_MB } = OperatorEnvironment.parse(environment);
  const jobsAtOnce = sizes[size].worker.cpu / 1024;
  // And room for the image.
  return Math.ceil((2 * jobsAtOnce * MAX_UPLOAD_SIZE_MB) / 1024) + 4;
}

/** Settings that are well by themselves and not together. */
function contradictions(context: z.output<typeof Context>): [boolean, string][] {
  return [
    [
      (context.domain === undefined) !== (context.certificateArn === undefined),
      'domain and certificateArn go together',
    ],
    [
      context.certificateArn !== undefined && !context.certificateArn.includes(':acm:us-east-1:'),
      'certificateArn must be of us-east-1: CloudFront takes no other',
    ],
    [
      context.originCertificateArn !== undefined && context.domain === undefined,
      'originCertificateArn needs a domain: a certificate is for a name',
    ],
    [
      [context.originCertificateArn, context.region].every((given) => given !== undefined) &&
        !context.originCertificateArn?.includes(`:acm:${context.region}:`),
      'originCertificateArn must be of the region of the service: load balancers take no other',
    ],
    [
      context.size === 'ha' && context.zones !== undefined && context.zones.length < 3,
      'size ha needs three zones, so that the loss of one leaves two',
    ],
    [
      context.size === 'ha' && context.zones === undefined && twoZoneRegions.has(context.region ?? ''),
      `size ha needs three zones, and most accounts see two in ${context.region}: take another region or size small, or name three in zones`,
    ],
    [
      context.region !== undefined && (context.zones ?? []).some((zone) => zone.slice(0, -1) !== context.region),
      'zones must be of the region',
    ],
    [
      storageNeeded(context) > sizes[context.size].worker.ephemeralStorageGiB,
      `environment.MAX_UPLOAD_SIZE_MB is more than a worker of size ${context.size} has room for: ${storageNeeded(context)} GiB, see worker.ephemeralStorageGiB in infra/settings.ts`,
    ],
    [context.budgetUsd !== undefined && context.alarmEmail === undefined, 'budgetUsd needs alarmEmail'],
  ];
}

/** Every setting with its default and meaning, for the documentation. */
export function describeContext(): { name: string; fallback: string | null; description: string }[] {
  return Object.entries(Context.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && parsed.data !== undefined ? textOf(parsed.data) : null;
    return { name, fallback, description: schema.description ?? '' };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
