import type { Node } from 'constructs';
import { z } from 'zod';

/** What differs between an installation for one team and one that must not stand still. */
export interface Sizes {
  readonly availabilityZones: number;
  readonly natGateways: number;
  readonly database: { readonly instance: string; readonly storageGiB: number; readonly multiAz: boolean };
  readonly cache: { readonly node: string; readonly replicas: number };
  /** Whether the gateway for large multipart bodies runs unless the context says otherwise. */
  readonly gateway: boolean;
  readonly worker: { readonly cpu: number; readonly memoryMiB: number; readonly maxTasks: number };
}

const sizes: Readonly<Record<'small' | 'ha', Sizes>> = {
  small: {
    availabilityZones: 2,
    natGateways: 1,
    database: { instance: 't4g.micro', storageGiB: 20, multiAz: false },
    cache: { node: 'cache.t4g.micro', replicas: 0 },
    gateway: false,
    worker: { cpu: 2048, memoryMiB: 8192, maxTasks: 4 },
  },
  ha: {
    availabilityZones: 3,
    natGateways: 3,
    database: { instance: 'm8g.large', storageGiB: 100, multiAz: true },
    cache: { node: 'cache.m7g.large', replicas: 1 },
    gateway: true,
    worker: { cpu: 4096, memoryMiB: 16_384, maxTasks: 20 },
  },
};

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** What `cdk --context name=value`, or the file cdk.json, may say. */
const Context = z.object({
  size: z.enum(['small', 'ha']).default('small').describe('small for one team, ha for two availability zones or more.'),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,20}$/)
    .default('svc')
    .describe('Prefix of the stacks and of what they name; several installations in one account need several.'),
  region: z.string().optional().describe('Region of everything but the edge; that of the AWS profile when unset.'),
  account: z
    .string()
    .regex(/^\d{12}$/)
    .optional()
    .describe('Account; that of the AWS profile when unset.'),
  domain: z.string().optional().describe('Host name of the service, with certificateArn; CloudFront’s own when unset.'),
  certificateArn: z.string().startsWith('arn:').optional().describe('Certificate of the domain, in us-east-1.'),
  uploadRetentionDays: z.coerce.number().int().min(0).default(0).describe('Days uploads are kept; 0 for ever.'),
  outputRetentionDays: z.coerce.number().int().min(0).default(90).describe('Days raw outputs are kept; 0 for ever.'),
  logRetentionDays: z.coerce.number().int().min(1).default(30).describe('Days log lines are kept.'),
  backupRetentionDays: z.coerce.number().int().min(1).max(35).default(7).describe('Days of database backups.'),
  alarmEmail: z.email().optional().describe('Who is told of alarms and of the budget.'),
  budgetUsd: z.coerce.number().min(1).optional().describe('Monthly budget in USD that alarmEmail hears of.'),
  gateway: flag.optional().describe('The gateway for multipart bodies above Lambda’s limit; by size when unset.'),
  waf: flag.default(false).describe('A web application firewall in front of CloudFront; needs region us-east-1.'),
  localstack: flag.default(false).describe('Only what LocalStack’s community edition knows.'),
});

export type Settings = Readonly<z.output<typeof Context> & { sizes: Sizes; gateway: boolean }>;

/** Reads the context of the app. Throws a sentence for each wrong value. */
export function readSettings(node: Node): Settings {
  const given = Object.fromEntries(
    Object.keys(Context.shape).flatMap((name) => {
      const value: unknown = node.tryGetContext(name);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = Context.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`Wrong settings in the CDK context: ${sentences.join('; ')}`);
  }
  if ((parsed.data.domain === undefined) !== (parsed.data.certificateArn === undefined)) {
    throw new Error('Wrong settings in the CDK context: domain and certificateArn go together');
  }
  if (parsed.data.budgetUsd !== undefined && parsed.data.alarmEmail === undefined) {
    throw new Error('Wrong settings in the CDK context: budgetUsd needs an alarmEmail to tell');
  }
  const own = sizes[parsed.data.size];
  return { ...parsed.data, sizes: own, gateway: parsed.data.gateway ?? own.gateway };
}
