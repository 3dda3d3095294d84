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

it('has a dead-letter queue for each of three queues', () => {
  expect(queues).toHaveLength(6);
  expect(queues.filter(({ RedrivePolicy }) => RedrivePolicy)).toHaveLength(3);
});

it('receives tasks ten times before it puts them aside, as second deliveries count, too', () => {
  const lanes = queues.filter(({ RedrivePolicy }) => RedrivePolicy);
  expect(lanes.map(({ RedrivePolicy }) => RedrivePolicy?.maxReceiveCount)).toEqual([10, 10, 10]);
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
    6,
  );
});
