import { Match } from 'aws-cdk-lib/assertions';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import bundles from '../../config/functions.json' with { type: 'json' };
import { periodicKinds, taskKinds, type PeriodicKind } from '@svc/contracts/tasks.ts';
import { scheduleExpression } from '../constructs/schedule-expression.ts';
import { synthesised } from './synth.ts';

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const programs = {
  Migrations: 'deploy-migrate',
  FastLane: 'queue-analyze',
  Maintenance: 'queue-maintenance',
  Dispatcher: 'dispatch-workers',
  Outgoing: 'queue-webhooks',
  AiRuns: 'queue-ai',
} as const;

const ledger = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];
/** What ports do on AWS, beside the database. */
const actionsOf: Readonly<Record<string, readonly string[]>> = {
  objects: ['s3:GetObject', 's3:ListBucket'],
  ruleCompiler: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
  deliveries: [...ledger, 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage'],
  tasks: [...ledger, 'sqs:SendMessage'],
  ledger: ['sqs:GetQueueAttributes', 'dynamodb:GetItem'],
  aiRunner: ['lambda:InvokeFunction'],
  launcher: ['lambda:InvokeFunction', 'ecs:RunTask', 'ecs:ListTasks'],
  oneTimeTasks: ['ecs:RunTask', 'ecs:ListTasks', 'ecs:DescribeTasks', 'ecs:TagResource', 'iam:PassRole'],
  webhookAnswers: ['sqs:SendMessage'],
  webhookSender: ['sqs:SendMessage'],
  jobs: ['rds-db:connect'],
};

/** What a program’s ports can do, and it does not: the dispatcher starts workers, and all others have it do so. */
function isBeside(bundle: string, action: string): boolean {
  return bundle === 'dispatch-workers'
    ? /^(lambda|dynamodb):/.test(action)
    : (action.startsWith('ecs:') && bundle !== 'deploy-migrate') || action === 'sqs:GetQueueAttributes';
}

describe.each(['small', 'ha'])('size %s', (size) => {
  const { stacks, templates, settings } = synthesised({ size });
  const { service } = templates;
  const { fastLane, worker } = settings.sizes;

  /** What the function, or the task, of a construct may do. */
  function statementsOf(construct: string): Statement[] {
    const policies = Object.entries(service.findResources('AWS::IAM::Policy'));
    return policies
      .filter(([id]) => id.startsWith(construct))
      .flatMap(
        ([, { Properties }]) => (Properties as { PolicyDocument: { Statement: Statement[] } }).PolicyDocument.Statement,
      );
  }

  it('analyses one message at a time, and reports which failed', () => {
    service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: fastLane.concurrency },
    });
  });

  it('hides messages for as long as their function may run', () => {
    const queues = service.findResources('AWS::SQS::Queue');
    const lambdas = service.findResources('AWS::Lambda::Function');
    const sources = Object.values(service.findResources('AWS::Lambda::EventSourceMapping')).map(({ Properties }) => {
      const { EventSourceArn, FunctionName } = Properties as {
        EventSourceArn: { 'Fn::GetAtt': [string, string] };
        FunctionName: { Ref: string };
      };
      const hidden = queues[EventSourceArn['Fn::GetAtt'][0]]!['Properties'] as { VisibilityTimeout: number };
      const runs = lambdas[FunctionName.Ref]!['Properties'] as { Timeout: number };
      return hidden.VisibilityTimeout - runs.Timeout;
    });
    expect(sources).toEqual([0, 0, 0]);
  });

  it('runs workers that can write to their own volumes alone, and get their secrets from ECS', () => {
    service.hasResourceProperties('AWS::ECS::TaskDefinition', {
      RuntimePlatform: { CpuArchitecture: 'ARM64' },
      ContainerDefinitions: [
        Match.objectLike({
          ReadonlyRootFilesystem: true,
          MountPoints: [
            Match.objectLike({ ContainerPath: '/data', ReadOnly: false }),
            Match.objectLike({ ContainerPath: '/tmp', ReadOnly: false }),
          ],
          Secrets: Match.arrayWith([
            Match.objectLike({ Name: 'SECRET_KEY' }),
            Match.objectLike({ Name: 'KV_PASSWORD' }),
          ]),
          Environment: Match.not(Match.arrayWith([Match.objectLike({ Name: 'SECRETS_MANAGER_IDS' })])),
        }),
      ],
    });
  });

  it('starts workers in its own cluster only, and passes them their own roles only', () => {
    const statements = statementsOf('Dispatcher');
    const ofEcs = statements.filter(({ Action }) =>
      [Action].flat().some((action) => /^ecs:(RunTask|ListTasks)$/.test(action)),
    );
    expect(ofEcs).toHaveLength(2);
    expect(ofEcs.every(({ Condition }) => JSON.stringify(Condition).includes('ecs:cluster'))).toBe(true);
    const pass = statements.find(({ Action }) => Action === 'iam:PassRole');
    expect(pass).toMatchObject({ Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } } });
    expect(pass?.Resource).toHaveLength(2);
    service.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ WORKER_MAX_TASKS: String(worker.maxTasks) }) },
      VpcConfig: Match.absent(),
    });
  });

  it.each(Object.entries(programs))('may do what its ports do on AWS: %s', (construct, bundle) => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const listed = /compose\(([^)]*)\)/.exec(read(bundles[bundle]))![1]!;
    const listOf = (name: string, path: string): string =>
      new RegExp(`${name} = \\[([^\\]]*)\\]`).exec(read(`shared/application/${path}.ts`))![1]!;
    const names = listed
      .replace('...workPorts', listOf('workPorts', 'work/handle-task'))
      .replace('...aiRunPorts', listOf('aiRunPorts', 'ai/handle-run'))
      .replace('...promptPorts', listOf('promptPorts', 'ai/prompt'));
    const composed = [...names.matchAll(/'(\w+)'/g)].map(([, port]) => port!);
    const allowed = new Set(statementsOf(construct).flatMap(({ Action }) => Action));
    const needed = composed.flatMap((port) => actionsOf[port] ?? []).filter((action) => !isBeside(bundle, action));
    expect(needed.length).toBeGreaterThan(0);
    expect(needed.filter((action) => !allowed.has(action))).toEqual([]);
  });

  it('invokes the function by itself for short periodic tasks, and queues the others', () => {
    const targets = Object.values(service.findResources('AWS::Scheduler::Schedule')).map(({ Properties }) => {
      const { Input = '{}', Arn } = (Properties as { Target: { Input?: string; Arn: unknown } }).Target;
      const [resource] = (Arn as { 'Fn::GetAtt': [string] })['Fn::GetAtt'];
      return [(JSON.parse(Input) as { kind?: PeriodicKind }).kind, resource.replace(/[0-9A-F]{8}$/, '')] as const;
    });
    const periodic = targets.flatMap(([kind, target]) => (kind === undefined ? [] : [[kind, target] as const]));
    expect(periodic.map(([kind]) => kind).toSorted()).toEqual([...periodicKinds].toSorted());
    for (const [kind, target] of periodic) {
      const expected = taskKinds[kind].lane === 'prompt' ? 'MaintenanceFunction' : 'QueuesMaintenanceQueue';
      expect([kind, target]).toEqual([kind, expected]);
    }
  });

  it('looks each minute whether workers are wanted', () => {
    service.hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(1 minute)' });
  });

  it('lets nobody but the migration at the password of the first administrator and at that of the database', () => {
    const { administrator, database } = stacks.data;
    for (const secret of [administrator, database.secret]) {
      const arn = stacks.data.getLogicalId(secret.node.defaultChild as never);
      const readers = ['Migrations', 'FastLane', 'Maintenance', 'Dispatcher', 'Workers'].filter((construct) =>
        JSON.stringify(statementsOf(construct)).includes(`Ref${arn}`),
      );
      expect(readers).toEqual(['Migrations']);
    }
  });

  it('changes no function, and no worker, before the database is ready for it', () => {
    const [trigger] = Object.keys(service.findResources('Custom::Migrations'));
    const waiting = Object.entries({
      ...service.findResources('AWS::Lambda::Function'),
      ...service.findResources('AWS::ECS::TaskDefinition'),
    }).filter(([, { DependsOn }]) => (DependsOn as string[] | undefined)?.includes(trigger!));
    const names = waiting.map(
      ([id]) => /^(AiRuns|Areas|FastLane|Gateway|Maintenance|Dispatcher|Workers)/.exec(id)?.[0],
    );
    const expected = [
      'AiRuns',
      'Areas',
      'FastLane',
      'Maintenance',
      'Dispatcher',
      'Workers',
      ...(settings.gateway ? ['Gateway'] : []),
    ];
    expect(new Set(names)).toEqual(new Set(expected));
  });

  it('migrates only once it can reach the database', () => {
    const [trigger] = Object.values(service.findResources('Custom::Migrations'));
    const way = Object.keys(
      service.findResources('AWS::EC2::SecurityGroupIngress', { Properties: { FromPort: 5432 } }),
    ).find((id) => id.startsWith('Migrations'));
    expect(trigger?.['DependsOn']).toContain(way);
  });

  it('migrates in a task for as long as CloudFormation waits, and again with each new program', () => {
    const [done] = Object.values(service.findResources('Custom::Migrations'));
    const { ServiceTimeout, TaskDefinition, LogGroup } = done!['Properties'] as Record<string, unknown>;
    expect(ServiceTimeout).toBe('3600');
    const { Ref: id } = TaskDefinition as { Ref: string };
    const task = service.findResources('AWS::ECS::TaskDefinition')[id]!['Properties'] as {
      ContainerDefinitions: {
        Command: string[];
        ReadonlyRootFilesystem: boolean;
        LogConfiguration: { Options: object };
      }[];
      TaskRoleArn: { 'Fn::GetAtt': [string] };
    };
    const [container] = task.ContainerDefinitions;
    expect(container).toMatchObject({ Command: ['node', 'dist/worker/prepare.mjs'], ReadonlyRootFilesystem: true });
    expect(container!.LogConfiguration.Options).toMatchObject({ 'awslogs-group': LogGroup });
    // What it may do is there before it runs.
    const [role] = task.TaskRoleArn['Fn::GetAtt'];
    const policies = Object.entries(service.findResources('AWS::IAM::Policy')).filter(([, policy]) =>
      JSON.stringify(policy).includes(`"Roles":[{"Ref":"${role}"}]`),
    );
    expect(policies).toHaveLength(1);
    expect(done!['DependsOn']).toEqual(expect.arrayContaining(policies.map(([policy]) => policy)));
    // The function that starts it ends long before the 15 minutes that Lambda gives it.
    const lambda = Object.entries(service.findResources('AWS::Lambda::Function')).find(([name]) =>
      /^MigrationsFunction[0-9A-F]{8}$/.test(name),
    );
    expect(lambda?.[1]['Properties']).toMatchObject({ Timeout: 60 });
  });

  it('traces every function, and keeps its log for a while', () => {
    service.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: settings.logRetentionDays });
    const lambdas = service.findResources('AWS::Lambda::Function', {
      Properties: { TracingConfig: { Mode: 'Active' } },
    });
    expect(Object.keys(lambdas).length).toBeGreaterThanOrEqual(4);
  });
});

it('runs workers on Spot where that is wanted', () => {
  const strategyOf = (workerSpot: boolean) =>
    Object.values(
      synthesised({ workerSpot }).templates.service.findResources('AWS::ECS::ClusterCapacityProviderAssociations'),
    ).map(
      ({ Properties }) => (Properties as { DefaultCapacityProviderStrategy: unknown }).DefaultCapacityProviderStrategy,
    );
  expect(strategyOf(true)).toEqual([[{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }]]);
  expect(strategyOf(false)).toEqual([[{ CapacityProvider: 'FARGATE', Weight: 1 }]]);
});

it.each([
  ['*/5 * * * *', 'cron(*/5 * * * ? *)'],
  ['45 4 * * *', 'cron(45 4 * * ? *)'],
  ['7 2 1 * *', 'cron(7 2 1 * ? *)'],
])('has EventBridge Scheduler understand %s', (cron, expression) => {
  expect(scheduleExpression(cron).expressionString).toBe(expression);
});

it('refuses schedules that EventBridge Scheduler would understand otherwise', () => {
  expect(() => scheduleExpression('0 3 * * 1')).toThrow('0 3 * * 1');
});
