import { Match } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { synthesised } from './synth.ts';

const { service: serviceStack } = synthesised({ size: 'small' }).templates;

interface QueueProperties {
  readonly RedrivePolicy?: { readonly maxReceiveCount: number };
  readonly VisibilityTimeout?: number;
  readonly SqsManagedSseEnabled?: boolean;
}
const queues = Object.entries(serviceStack.findResources('AWS::SQS::Queue')).map(([id, { Properties }]) => ({
  id,
  ...(Properties as QueueProperties),
}));

it('has a dead-letter queue for each of four queues', () => {
  expect(queues).toHaveLength(8);
  expect(queues.filter(({ RedrivePolicy }) => RedrivePolicy)).toHaveLength(4);
});

it('receives tasks ten times before it puts them aside, as second deliveries count, too', () => {
  const lanes = queues.filter(({ RedrivePolicy }) => RedrivePolicy);
  expect(lanes.map(({ RedrivePolicy }) => RedrivePolicy?.maxReceiveCount)).toEqual([10, 10, 10, 3]);
});

it('encrypts all, and refuses whoever comes without TLS', () => {
  expect(queues.every(({ SqsManagedSseEnabled }) => SqsManagedSseEnabled)).toBe(true);
  serviceStack.resourcePropertiesCountIs(
    'AWS::SQS::QueuePolicy',
    {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sqs:*',
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    },
    8,
  );
});

it('sends to webhooks from outside of the network, without the database, secrets or any other right', () => {
  const lambdas = Object.entries(serviceStack.findResources('AWS::Lambda::Function'));
  const [id, lambda] = lambdas.find(([name]) => name.startsWith('Outgoing'))!;
  const { VpcConfig, Environment, Role } = (lambda as { Properties: unknown }).Properties as {
    VpcConfig?: unknown;
    Environment: { Variables: Readonly<Record<string, unknown>> };
    Role: { 'Fn::GetAtt': [string, string] };
  };
  expect(VpcConfig).toBeUndefined();
  expect(Object.keys(Environment.Variables).toSorted()).toEqual([
    'LOG_FORMAT',
    'WEBHOOK_ANSWERS_SQS_URL',
    'WEBHOOK_REQUIRE_PUBLIC_HOST',
    'WEBHOOK_TIMEOUT_SECONDS',
  ]);
  expect(Environment.Variables['WEBHOOK_REQUIRE_PUBLIC_HOST']).toBe('true');
  const policies = Object.values(serviceStack.findResources('AWS::IAM::Policy')).map(
    ({ Properties }) =>
      Properties as {
        Roles: { Ref: string }[];
        PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] };
      },
  );
  const own = policies.filter(({ Roles }) => Roles.some(({ Ref }) => Ref === Role['Fn::GetAtt'][0]));
  const actions = own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action));
  expect(new Set(actions.filter((action) => !action.startsWith('xray:')))).toEqual(
    new Set([
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ]),
  );
  serviceStack.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    FunctionName: { Ref: id },
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
});
