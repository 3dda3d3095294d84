import { analysisKey } from '@svc/contracts/tasks.ts';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SqsLanes } from '@svc/adapters/aws/sqs-lanes.ts';
import { DynamoTaskLedger } from '@svc/adapters/aws/task-ledger.ts';
import { SqsTaskQueue } from '@svc/adapters/aws/task-queue.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { output, untilAborted } from '@svc/adapters/testing/fake-engine.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { overridingIn } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { handleTask } from '@svc/application/work/handle-task.ts';
import { getJob } from '@svc/application/jobs/get-job.ts';
import { getJobProgress } from '@svc/application/jobs/get-job-progress.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { rerunTexts, type Actor } from '@svc/domain';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startAwsEmulators } from '../../test/support/aws-emulators.ts';

const leaseSeconds = 2;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const [minutes, seconds] = [900_000, 10_500];

const aws = await startAwsEmulators();
const dead = await aws.queue('dead');
const redrive = JSON.stringify({ deadLetterTargetArn: await aws.arnOf(dead), maxReceiveCount: '3' });
const urls = {
  fast: await aws.queue('fast', { RedrivePolicy: redrive, VisibilityTimeout: '900' }),
  heavy: await aws.queue('heavy'),
  sweep: null,
  dead,
};
const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(aws.dynamo), await aws.ledger('tasks'), leaseSeconds);
const lanes = new SqsLanes(aws.sqs, urls);
const lambda = new SqsTaskQueue(lanes, ledger, { leaseSeconds, lanes: ['fast'] });
const worker = new SqsTaskQueue(lanes, ledger, { leaseSeconds, lanes: ['heavy'] });

const test = await openTestPorts({
  leaseSeconds,
  deployment: { heartbeatSeconds: 0.5, fastMaxBytes: 100, heavyQueue: true },
});
let woken = 0;
let crashing = false;
const crashingTransaction = overridingIn(test.ports.transaction, {
  results: { addTasks: () => Promise.reject(new Error('disk on fire')) },
});
const ports: Ports = {
  ...test.ports,
  transaction: (work) => (crashing ? crashingTransaction : test.ports.transaction)(work),
  tasks: lambda,
  ledger: lambda,
  deliveries: lambda,
  launcher: { ...test.ports.launcher, wake: async () => void (woken += 1) },
};
usePorts(ports);
const { handler } = await import('./analyze.ts');

afterAll(async () => {
  await test.close();
  await aws.stop();
});
beforeEach(async () => {
  await test.reset();
  woken = 0;
  crashing = false;
});

const submitted = (content = 'ElfFile\0'): Promise<number> => submitLog(ports, visitor, { content });

/** What Lambda does with a message of the fast lane; null when there is none. Gone is what was not reported. */
async function delivered(leftMs = minutes): Promise<SQSBatchResponse | null> {
  const { Messages } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: urls.fast, WaitTimeSeconds: 0 }));
  const message = Messages?.[0];
  if (!message) return null;
  const record = { messageId: message.MessageId, body: message.Body, receiptHandle: message.ReceiptHandle };
  const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => leftMs };
  return handler({ Records: [record] } as unknown as SQSEvent, context as Context);
}

/** What a worker of the heavy lane does. */
async function worked(): Promise<void> {
  const lease = await worker.receive({ worker: 'w', waitMs: 0 });
  if (!lease) throw new Error('nothing in the heavy lane');
  await handleTask({ ...ports, tasks: worker, ledger: worker }, lease, { leave: new AbortController().signal });
}

const stateOf = async (id: number) => (await ports.jobs.get(id))?.job;
const messages = async () => [await aws.messages(urls.fast), await aws.messages(urls.heavy)];
/** What the dead-letter queue has been told of. */
async function deadJobs(): Promise<(string | undefined)[]> {
  const { Messages } = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: urls.dead, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
  );
  return Messages?.map(({ Body }) => Body) ?? [];
}
const settled: SQSBatchResponse = { batchItemFailures: [] };
const kept = { batchItemFailures: [{ itemIdentifier: expect.any(String) as string }] };

it('analyses the job of a message, and leaves nothing of it', async () => {
  const id = await submitted();
  expect(await delivered()).toEqual(settled);
  expect(await stateOf(id)).toMatchObject({ status: 'completed', rerunReason: null, totalFindings: 1 });
  expect(await ledger.state(analysisKey(id))).toBeNull();
  expect(await messages()).toEqual([0, 0]);
  expect(woken).toBe(0);
});

it('leaves large files to workers, and has them started', async () => {
  const id = await submitted(`ElfFile\0${'x'.repeat(100)}`);
  expect(woken).toBe(1);
  expect(await delivered()).toBeNull();
  await worked();
  expect(await stateOf(id)).toMatchObject({ status: 'completed', rerunReason: null });
});

it('keeps a second message of a job that is being worked on, and lets it go when that is done', async () => {
  let second: SQSBatchResponse | null = null;
  test.engine.behave = async () => {
    second = await delivered();
    return output();
  };
  const id = await submitted();
  await aws.sqs.send(new SendMessageCommand({ QueueUrl: urls.fast, MessageBody: String(id) }));
  expect(await delivered()).toEqual(settled);
  expect(second).toEqual(kept);
  await sleep(leaseSeconds * 1000 + 100);
  expect(await delivered()).toEqual(settled);
  expect(await messages()).toEqual([0, 0]);
  expect(test.engine.inputs).toHaveLength(1);
});

it('keeps its lease for as long as it works', async () => {
  test.engine.behave = async () => {
    await sleep(leaseSeconds * 1500);
    return output();
  };
  await submitted();
  const working = delivered();
  await sleep(leaseSeconds * 1200);
  expect(await delivered()).toBeNull();
  expect(await working).toEqual(settled);
  expect(test.engine.inputs).toHaveLength(1);
});

it('hands a job over to the heavy lane before its own time is up, and the job says why', async () => {
  test.engine.behave = untilAborted();
  const id = await submitted();
  await delivered(seconds);
  expect(await stateOf(id)).toMatchObject({ status: 'running', rerunReason: 'out_of_time' });
  expect(await getJobProgress(ports, visitor, { id })).toMatchObject({ delay: rerunTexts.out_of_time });
  expect(woken).toBe(1);
  expect(await messages()).toEqual([0, 1]);

  test.engine.behave = async () => output();
  await worked();
  expect(await getJob(ports, visitor, { id })).toMatchObject({ status: 'completed', delay: rerunTexts.out_of_time });
  expect(await messages()).toEqual([0, 0]);
});

it('hands over what died in its first attempt, a lease later', async () => {
  const id = await submitted();
  const { Messages } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: urls.fast }));
  const [{ Body, ReceiptHandle } = {}] = Messages ?? [];
  const dying = await lambda.accept({ lane: 'fast', body: Body!, receipt: ReceiptHandle! }, 'lambda:died');
  if (typeof dying === 'string') throw new Error(dying);
  await ports.jobs.claim(id, dying.token, new Date());
  expect(await delivered()).toBeNull();

  await sleep(leaseSeconds * 1000 + 100);
  await delivered();
  expect(await stateOf(id)).toMatchObject({ status: 'running', rerunReason: 'interrupted' });
  expect(await messages()).toEqual([0, 1]);
  await worked();
  expect(await stateOf(id)).toMatchObject({ status: 'completed', rerunReason: 'interrupted' });
  expect(test.engine.inputs).toHaveLength(1);
});

it('puts a message that names no task where dead letters go, for people to look at', async () => {
  const before = await aws.messages(urls.dead);
  await aws.sqs.send(new SendMessageCommand({ QueueUrl: urls.fast, MessageBody: '{"job":1}' }));
  for (let time = 0; time < 3; time++) {
    const { Messages } = await aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urls.fast, VisibilityTimeout: 0, WaitTimeSeconds: 0 }),
    );
    const [{ MessageId, Body, ReceiptHandle } = {}] = Messages ?? [];
    const record = { messageId: MessageId, body: Body, receiptHandle: ReceiptHandle };
    const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => minutes };
    const answer = await handler({ Records: [record] } as unknown as SQSEvent, context as Context);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: MessageId }] });
  }
  expect(await delivered()).toBeNull();
  expect((await aws.messages(urls.dead)) - before).toBe(1);
});

it('has a job whose analysis crashes tried once more by a worker, then failed, and tells the dead letters', async () => {
  crashing = true;
  const id = await submitted();
  expect(await delivered()).toEqual(kept);
  expect(await stateOf(id)).toMatchObject({ status: 'running' });
  await sleep(5100);
  await delivered();
  expect(await messages()).toEqual([0, 1]);
  await worked();
  expect(await stateOf(id)).toMatchObject({
    status: 'failed',
    errorCode: 'internal',
    errorMessage: 'The analysis stopped unexpectedly: disk on fire',
  });
  expect(await messages()).toEqual([0, 0]);
  expect(await deadJobs()).toContain(String(id));
});

it('gives up a job that ends each of its workers: the job says so, and so does a dead letter', async () => {
  const id = await submitted(`ElfFile\0${'x'.repeat(100)}`);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const lease = await worker.receive({ worker: 'dies', waitMs: 2000 });
    expect(lease).toMatchObject({ task: { jobId: id }, attempt });
    await ports.jobs.claim(id, lease!.token, new Date());
    await sleep(leaseSeconds * 1000 + 100);
  }
  await worked();
  expect(await stateOf(id)).toMatchObject({ status: 'failed', errorCode: 'worker_lost_startup' });
  expect(await messages()).toEqual([0, 0]);
  expect(await ledger.state(analysisKey(id))).toBeNull();
  expect(await deadJobs()).toContain(String(id));
});
