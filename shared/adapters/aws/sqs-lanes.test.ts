import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  MessageNotInflight,
  ReceiveMessageCommand,
  ReceiptHandleIsInvalid,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { SqsLanes } from './sqs-lanes.ts';

// What SQS refuses, which an emulator does not do on demand; the rest is in task-queue.integration.test.ts.
const client = new SQSClient({ region: 'us-east-1' });
const sqs = mockClient(client);
beforeEach(() => sqs.reset());

const urls = { fast: 'https://sqs/fast', heavy: null, sweep: null, dead: null };
const lanes = new SqsLanes(client, urls);
const delivered = { queueUrl: urls.fast, receipt: 'r' };
const common = { $metadata: {}, message: 'refused' };

it('lets a message be that came back meanwhile, and passes on every other refusal', async () => {
  sqs
    .on(ChangeMessageVisibilityCommand)
    .rejectsOnce(new MessageNotInflight(common))
    .rejects(new ReceiptHandleIsInvalid(common));
  await expect(lanes.hide(delivered, 30)).resolves.toBeUndefined();
  await expect(lanes.hide(delivered, 30)).rejects.toBeInstanceOf(ReceiptHandleIsInvalid);
});

it('takes a wait that was called off for none, and any other that fails for what it is', async () => {
  sqs.on(ReceiveMessageCommand).rejects(new Error('the connection broke'));
  const wait = { seconds: 20, hiddenSeconds: 60 };
  expect(await lanes.poll(urls.fast, { ...wait, signal: AbortSignal.abort() })).toBeNull();
  const signal = new AbortController().signal;
  await expect(lanes.poll(urls.fast, { ...wait, signal })).rejects.toThrow('the connection broke');
});

it('counts what SQS tells of a queue where it tells only a part', async () => {
  sqs
    .on(GetQueueAttributesCommand)
    .resolvesOnce({ Attributes: { ApproximateNumberOfMessages: '3' } })
    .resolves({});
  expect(await lanes.depth('fast')).toBe(3);
  expect(await lanes.depth('fast')).toBe(0);
});

it('leaves no word of what was given up where nobody listens, and one that SQS takes where somebody does', async () => {
  sqs.on(SendMessageCommand).resolves({});
  await lanes.sendDead('{}', 'why');
  expect(sqs.commandCalls(SendMessageCommand)).toHaveLength(0);
  const told = new SqsLanes(client, { ...urls, dead: 'https://sqs/dead' });
  // An attribute without a value is refused.
  for (const reason of ['', 'x'.repeat(5000)]) await told.sendDead('{}', reason);
  const reasons = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input.MessageAttributes);
  expect(reasons.map((each) => each?.['reason']?.StringValue)).toEqual(['unknown', 'x'.repeat(1000)]);
});
