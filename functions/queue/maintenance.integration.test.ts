import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SqsLanes } from '@svc/adapters/aws/sqs-lanes.ts';
import { DynamoTaskLedger } from '@svc/adapters/aws/task-ledger.ts';
import { SqsTaskQueue } from '@svc/adapters/aws/task-queue.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startAwsEmulators } from '../../test/support/aws-emulators.ts';

const leaseSeconds = 5;
const aws = await startAwsEmulators();
const urls = {
  fast: await aws.queue('fast'),
  heavy: null,
  sweep: await aws.queue('sweep', { VisibilityTimeout: '900' }),
  dead: await aws.queue('dead'),
};
const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(aws.dynamo), await aws.ledger('tasks'), leaseSeconds);
const queue = new SqsTaskQueue(new SqsLanes(aws.sqs, urls), ledger, { leaseSeconds, lanes: ['fast', 'sweep'] });
const test = await openTestPorts();
const done: string[] = [];
let during: (() => Promise<void>) | null = null;
let isBroken = false;
usePorts({
  ...test.ports,
  apiTokens: overriding(test.ports.apiTokens, {
    removeRevoked: async () => {
      done.push('token-prune');
      await during?.();
      return 1;
    },
  }),
  uploads: overriding(test.ports.uploads, {
    retireExpired: async () => {
      if (isBroken) throw new Error('no database');
      done.push('expired-uploads');
      return [];
    },
  }),
  // Of what is done here, only happenings are told in a transaction: one for each consumer.
  transaction: (work) => {
    if (done.at(-1) !== 'happenings') done.push('happenings');
    if (isBroken) return Promise.reject(new Error('no database'));
    return test.ports.transaction(work);
  },
  tasks: queue,
  ledger: queue,
  deliveries: queue,
});
const { handler } = await import('./maintenance.ts');
afterAll(async () => {
  await test.close();
  await aws.stop();
});
beforeEach(() => {
  done.length = 0;
  during = null;
  isBroken = false;
});

const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 900_000 } as Context;
const send = (body: string): Promise<unknown> =>
  aws.sqs.send(new SendMessageCommand({ QueueUrl: urls.sweep, MessageBody: body }));

/** What Lambda does with a message of the sweeps; null when there is none. Gone is what was not reported. */
async function delivered(): Promise<SQSBatchResponse | null> {
  const { Messages } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: urls.sweep, WaitTimeSeconds: 0 }));
  const message = Messages?.[0];
  if (!message) return null;
  const record = { messageId: message.MessageId, body: message.Body, receiptHandle: message.ReceiptHandle };
  const answer = await handler({ Records: [record] } as unknown as SQSEvent, context);
  return answer;
}
const settled: SQSBatchResponse = { batchItemFailures: [] };
const kept = { batchItemFailures: [{ itemIdentifier: expect.any(String) as string }] };

it.each(['{"kind":"token-prune"}', '{"task":"token-prune"}'])('runs what a schedule has sent: %s', async (body) => {
  await send(body);
  expect(await delivered()).toEqual(settled);
  expect(done).toEqual(['token-prune']);
  expect(await ledger.state('token-prune')).toBeNull();
  expect(await aws.messages(urls.sweep)).toBe(0);
});

it('leaves in the queue what fails, for a while, and tells the dead letters in the end', async () => {
  isBroken = true;
  await send('{"kind":"expired-uploads"}');
  for (const attempt of [1, 2, 3]) {
    expect(await delivered()).toEqual(attempt === 3 ? settled : kept);
    expect(await delivered()).toBeNull();
    if (attempt < 3) {
      expect(await ledger.state('expired-uploads')).toEqual({ attempts: attempt, held: false });
      // As after its delay.
      await ledger.remove('expired-uploads');
      await send('{"kind":"expired-uploads"}');
      for (let begun = 0; begun < attempt; begun += 1) {
        const lease = await queue.receive({ worker: 'w', waitMs: 0, lanes: ['sweep'] });
        await queue.release(lease!, { delaySeconds: 0, countAttempt: true });
      }
    }
  }
  expect(await ledger.state('expired-uploads')).toBeNull();
  const { Messages } = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: urls.dead, MessageAttributeNames: ['All'] }),
  );
  expect(Messages).toMatchObject([{ MessageAttributes: { reason: { StringValue: 'no database' } } }]);
  const { Body } = Messages![0]!;
  // Moved back by an operator, it is a task again.
  isBroken = false;
  await send(Body!);
  expect(await delivered()).toEqual(settled);
});

it('keeps what a later version may know, and what is no task at all', async () => {
  for (const body of [
    '{"kind":"no-such-task"}',
    '{"key":"a","task":{"kind":"no-such-task"}}',
    '{"task":7}',
    'nonsense',
  ]) {
    await send(body);
    expect([body, await delivered()]).toEqual([body, body.includes('key') ? settled : kept]);
  }
  expect(done).toEqual([]);
});

it('does what it is invoked for at once, while a sweep is under way', async () => {
  let answer: unknown = 'none';
  during = async () => {
    answer = await handler({ kind: 'happenings' }, context);
  };
  await send('{"kind":"token-prune"}');
  expect(await delivered()).toEqual(settled);
  expect(answer).toBeNull();
  expect(done).toEqual(['token-prune', 'happenings']);
  expect(await ledger.state('happenings')).toBeNull();
});

it('does not begin what is under way, and queues what failed', async () => {
  const lease = await queue.begin({ kind: 'happenings' }, 'other');
  expect(await handler({ kind: 'happenings' }, context)).toBeNull();
  expect(done).toEqual([]);
  await queue.acknowledge(lease!);

  isBroken = true;
  await handler({ kind: 'happenings' }, context);
  expect(await ledger.state('happenings')).toEqual({ attempts: 1, held: false });
  expect(await queue.depth('prompt')).toBe(1);
  expect(await handler({ kind: 'happenings' }, context)).toBeNull();
  expect(done).toEqual(['happenings']);
});

it('takes over what an invocation that died had begun', async () => {
  await ledger.remove('happenings');
  await ledger.add('happenings', { task: { kind: 'happenings' }, lane: 'prompt' });
  await handler({ kind: 'happenings' }, context);
  expect(done).toEqual(['happenings']);
});

it('refuses a tick of no kind that it knows', async () => {
  await expect(handler({ kind: 'no-such-task' }, context)).rejects.toThrow('There is no task no-such-task');
});
