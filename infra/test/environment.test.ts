import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEnvironment } from '@svc/config';
import { ServiceFunction } from '../constructs/service-function.ts';
import bundles from '../../config/functions.json' with { type: 'json' };
import { bundled } from './function-environment.ts';
import { plausible, variablesOfSecrets } from './plausible-values.ts';
import { synthesised } from './synth.ts';

const { stacks, templates } = synthesised();
const { service } = templates;
const functions = stacks.service.node.findAll().filter((construct) => construct instanceof ServiceFunction);

/** Settings that have a default, which is wrong on AWS. */
const defaultIsWrong = new Set(
  `DATA_DIR LOG_FORMAT STORAGE_BACKEND S3_BUCKET AUTO_MIGRATE DATABASE_AUTH ENABLE_HSTS KV_PORT KV_TLS
   TASKQ_QUEUE_EXPIRY TASKQ_LANES TASKQ_WORKERS WORKER_MAX_TASKS ANALYSIS_MEMORY_MB`.split(/\s+/),
);
/** Settings without a default that may stay unset: wishes, those of other kinds of installation, old names. */
const mayBeUnset = new Set(
  `RULE_PACKS KNOWN_HASHES_PATH ANALYTICS_FIELDS_PATH THREAT_DETECTION_CONFIG_PATH SIGMA_PLACEHOLDERS ENGINE_THREADS ENGINE_CONTAINER_RUNTIME S3_ENDPOINT S3_PUBLIC_ENDPOINT S3_ACCESS_KEY S3_SECRET_KEY UPLOAD_DIR
   DATABASE_CA_URL KV_URL SYNC_DATABASE_URL TASKQ_TASK_TIMEOUT ENRICHMENT_ENCRYPTION_KEY_PREVIOUS WORKER_NAME WORKER_IP METRICS_TOKEN`.split(
    /\s+/,
  ),
)
  .add('SITE_URL')
  .add('ALLOWED_HOSTS'); // Without a domain, the edge says with each request what the address is.
const withoutDefault = new Set(
  describeEnvironment().flatMap(({ name, fallback }) => (fallback === null ? [name] : [])),
);
/** Read by all as parts of one description of the installation, and used by some. */
const usedOnlyBy: readonly [RegExp, RegExp][] = [
  [/^(EDGE_KEY|ENABLE_HSTS)$/, /^api-/],
  [/^ADMIN_(EMAIL|PASSWORD)$/, /^preparation$/],
  [/^WORKER_(CLUSTER|TASK_DEFINITION|SUBNETS|SECURITY_GROUPS)$/, /^(dispatch-workers|deploy-migrate)$/],
  [/^(WORKER_MAX_TASKS|TASKQ_WORKERS)$/, /^dispatch-workers$/],
  [/^WORKER_DISPATCHER$/, /^(api-jobs|api-submissions|queue-)/],
  [/^TASKQ_SQS_DEAD_URL$/, /^(api-jobs|queue-)/],
  [/^WEBHOOK_SQS_URL$/, /^queue-analyze$/],
  [/^AI_FUNCTION$/, /^queue-analyze$/],
  [/^WEBHOOK_ANSWERS_SQS_URL$/, /^queue-webhooks$/],
  [/^(DATA_DIR|KV_|TASKQ_|S3_|DATABASE_|SECRET_KEY|FAST_LANE_|WORKER_)/, /^(?!queue-webhooks)/],
  [/^WORKER_IDLE_EXIT_SECONDS$/, /^worker$/],
  [/^TASKQ_LANES$/, /^(gateway|worker)$/],
  [/^ANALYSIS_MEMORY_MB$/, /^(queue-analyze|worker)$/],
  // The migration goes past proxy and queues, and who starts tasks past the database.
  [/^DATABASE_URL$/, /^(?!deploy-migrate|dispatch-workers|preparation)/],
  [/^DATABASE_AUTH$/, /^(?!deploy-migrate|dispatch-workers)/],
  [/^DATABASE_SERVICE_ROLE$/, /^preparation$/],
  [/^(KV_|TASKQ_|FAST_LANE_)/, /^(?!deploy-migrate|preparation)/],
  // Only readiness says where it is.
  [/^KV_/, /^(?!dispatch-workers)/],
  // It is what migrates.
  [/^AUTO_MIGRATE$/, /^(?!preparation)/],
  [/^(AUTO_MIGRATE|DATA_DIR|S3_|SECRET_KEY|STORAGE_BACKEND)/, /^(?!deploy-migrate|dispatch-workers)/],
];

function isNeeded(name: string, bundle: string): boolean {
  if (!defaultIsWrong.has(name) && (!withoutDefault.has(name) || mayBeUnset.has(name))) return false;
  return usedOnlyBy.every(([names, users]) => !names.test(name) || users.test(bundle));
}

interface ContainerDefinition {
  readonly Environment: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly Secrets?: readonly { readonly Name: string }[];
}

/** The environment of a function when it starts, its secrets read. */
function environmentOf(lambda: ServiceFunction): Record<string, string> {
  const id = stacks.service.getLogicalId(lambda.node.defaultChild as never);
  const { Environment } = service.findResources('AWS::Lambda::Function')[id]!['Properties'] as {
    Environment: { Variables: Record<string, unknown> };
  };
  const given = Object.fromEntries(
    Object.entries(Environment.Variables).map(([name, value]) => [name, plausible(value, service, templates)]),
  );
  return withSecrets({ ...given, AWS_REGION: 'eu-central-1' });
}

type Variables = Record<string, string>;

/** With what the secrets hold that it names, as a process that has read them. */
function withSecrets({ SECRETS_MANAGER_IDS, DATABASE_SECRET_ID, ...rest }: Variables): Variables {
  return {
    ...rest,
    ...(SECRETS_MANAGER_IDS !== undefined && variablesOfSecrets(SECRETS_MANAGER_IDS, templates)),
    ...(DATABASE_SECRET_ID !== undefined && {
      SYNC_DATABASE_URL: 'postgres://svc:secret@db.example.internal:5432/svc',
    }),
  };
}

describe('environment', () => {
  let programs: Awaited<ReturnType<typeof bundled>>;
  beforeAll(async () => {
    programs = await bundled({
      ...bundles,
      worker: 'containers/worker/work.ts',
      preparation: 'containers/worker/preparation.ts',
    });
  });
  afterAll(() => programs.remove());

  it('is given to every function that is bundled', () => {
    expect(functions.map(({ bundle }) => bundle).toSorted()).toEqual(Object.keys(bundles).toSorted());
  });

  it.each(functions.map((lambda) => [lambda.bundle, lambda] as const))(
    'has all that %s asks for, and lets it start without complaint',
    (bundle, lambda) => {
      const environment = environmentOf(lambda);
      const { read, complaint } = programs.initialised(bundle, environment);
      expect(complaint).toBe('');
      expect(read.size).toBeGreaterThan(4);
      const lacking = [...read].filter((name) => !Object.hasOwn(environment, name) && isNeeded(name, bundle));
      expect(lacking).toEqual([]);
    },
  );

  it.each(functions.map((lambda) => [lambda.bundle, lambda] as const))(
    'names to %s no secret that it may not read',
    (_, lambda) => {
      const id = stacks.service.getLogicalId(lambda.node.defaultChild as never);
      const properties = JSON.stringify(service.findResources('AWS::Lambda::Function')[id]);
      const role = stacks.service.getLogicalId(lambda.role!.node.defaultChild as never);
      const policies = Object.values(service.findResources('AWS::IAM::Policy')).map((policy) => JSON.stringify(policy));
      const rights = policies.filter((policy) => policy.includes(`"Roles":[{"Ref":"${role}"}]`)).join('');
      const secrets = [...properties.matchAll(/PublishOutputRef\w*(?:Secret|Key|Password|Administrator)\w*/g)];
      expect(secrets.length > 0).toBe(properties.includes('SECRETS_MANAGER_IDS'));
      expect(secrets.filter(([exported]) => !rights.includes(exported))).toEqual([]);
    },
  );

  it.each([
    ['Workers', 'worker'],
    ['Migrations', 'preparation'],
  ])('is all that the container of %s asks for, with its secrets', (construct, program) => {
    const tasks = Object.entries(service.findResources('AWS::ECS::TaskDefinition'));
    const [, task] = tasks.find(([id]) => id.startsWith(construct))!;
    const [container] = (task['Properties'] as { ContainerDefinitions: ContainerDefinition[] }).ContainerDefinitions;
    const given = container!.Environment.map(({ Name, Value }) => [Name, plausible(Value, service, templates)]);
    const secrets = (container!.Secrets ?? []).map(({ Name }) => [Name, 'x'.repeat(64)]);
    const variables = Object.fromEntries([...given, ...secrets, ['AWS_REGION', 'eu-central-1']]) as Variables;
    const environment = withSecrets(variables);
    const { read, complaint } = programs.initialised(program, environment);
    expect(complaint).toBe('');
    expect([...read].filter((name) => !Object.hasOwn(environment, name) && isNeeded(name, program))).toEqual([]);
  });

  it('would miss what is not given', () => {
    const lambda = functions.find(({ bundle }) => bundle === 'queue-analyze')!;
    const { S3_BUCKET: _, TASKQ_LEDGER_TABLE: __, ...environment } = environmentOf(lambda);
    const { complaint } = programs.initialised('queue-analyze', environment);
    expect(complaint).toContain('TASKQ_SQS_URL and TASKQ_LEDGER_TABLE go together');
    const { read } = programs.initialised('queue-analyze', { ...environment, TASKQ_LEDGER_TABLE: 'tasks' });
    expect(read.has('S3_BUCKET') && isNeeded('S3_BUCKET', 'queue-analyze')).toBe(true);
  });
});
