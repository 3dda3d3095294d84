import { GetQueueAttributesCommand, PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../test/samples/random.ts';
import { startAwsEmulators, type AwsEmulators } from '../../../test/support/aws-emulators.ts';
import { taskQueueContract } from '../contract/task-queue.ts';
import { DynamoTaskLedger } from './task-ledger.ts';
import { SqsTaskQueue } from './task-queue.ts';

let aws: AwsEmulators;
let made = 0;
beforeAll(async () => {
  aws = await startAwsEmulators();
});
afterAll(() => aws.stop());

const ledgerOf = (number: number): DynamoTaskLedger =>
  new DynamoTaskLedger(DynamoDBDocumentClient.from(aws.dynamo), `analysis-${number}`, 1);

async function make(
  attributes?: Record<string, string>,
): Promise<{ tasks: SqsTaskQueue; ledger: SqsTaskQueue; queueUrl: string }> {
  const number = made++;
  const queueUrl = await aws.queue(`analysis-${number}`, attributes);
  await aws.ledger(`analysis-${number}`);
  const queue = new SqsTaskQueue(aws.sqs, ledgerOf(number), { queueUrl, leaseSeconds: 1 });
  return { tasks: queue, ledger: queue, queueUrl };
}

taskQueueContract(() => make(), { isShared: true });

describe('what SQS does beside', () => {
  const send = (queueUrl: string, body: string): Promise<unknown> =>
    aws.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));

  it('delivers twice and in any order, and each job is worked on by one at a time and finished once', async () => {
    const { tasks, ledger, queueUrl } = await make();
    const random = new Random(7);
    const jobs = Array.from({ length: 40 }, (_, at) => at + 1);
    for (const jobId of jobs) await tasks.enqueue(jobId);
    const copies = jobs.flatMap((jobId) => Array.from({ length: random.int(0, 6) }, () => jobId));
    await Promise.all(copies.toSorted(() => random.int(0, 2) - 1).map((jobId) => send(queueUrl, String(jobId))));

    const [working, finished] = [new Set<number>(), new Map<number, number>()];
    const work = async (worker: string): Promise<void> => {
      for (;;) {
        const lease = await tasks.receive({ worker, waitMs: 1500 });
        if (!lease) return;
        const { jobId } = lease;
        expect(working.has(jobId)).toBe(false);
        working.add(jobId);
        await sleep(random.int(0, 20));
        // A mark goes before the lease does, so that nobody is blamed for having been slow.
        working.delete(jobId);
        if (random.int(0, 5) === 0) {
          await tasks.release(lease, { delaySeconds: 0, countAttempt: true });
        } else if (await tasks.extend(lease)) {
          finished.set(jobId, (finished.get(jobId) ?? 0) + 1);
          await tasks.acknowledge(lease);
        }
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(work));
    expect([...finished.keys()].toSorted((a, b) => a - b)).toEqual(jobs);
    expect(new Set(finished.values())).toEqual(new Set([1]));
    for (const jobId of jobs) expect(await ledger.state(jobId)).toBeNull();
    expect(await messagesIn(queueUrl)).toBe(0);
  });

  it('is asked again for a job whose process ended between the ledger and the queue', async () => {
    const { tasks, queueUrl } = await make();
    await tasks.enqueue(5);
    await aws.sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl }));
    expect(await tasks.receive({ worker: 'w', waitMs: 0 })).toBeNull();
    await tasks.enqueue(5);
    expect(await tasks.receive({ worker: 'w', waitMs: 0 })).toMatchObject({ jobId: 5 });
  });

  it('leaves nothing behind when nothing can be sent', async () => {
    const { ledger } = await make();
    const nowhere = new SqsTaskQueue(aws.sqs, ledgerOf(made - 1), {
      queueUrl: 'http://127.0.0.1:1/x',
      leaseSeconds: 1,
    });
    await expect(nowhere.enqueue(9)).rejects.toThrow('queue does not exist');
    expect(await ledger.state(9)).toBeNull();
  });

  it('holds a message that names no job, which goes where dead letters go', async () => {
    const dead = await aws.queue('dead');
    const { Attributes } = await aws.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['QueueArn'] }),
    );
    const redrive = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: '2' });
    const { tasks, queueUrl } = await make({ RedrivePolicy: redrive });
    await send(queueUrl, 'poison');
    for (let time = 0; time < 2; time++) {
      await expect(tasks.receive({ worker: 'w', waitMs: 0 })).rejects.toThrow('names no job: poison');
      await sleep(1100);
    }
    expect(await tasks.receive({ worker: 'w', waitMs: 0 })).toBeNull();
    expect(await messagesIn(dead)).toBe(1);
  });
});

async function messagesIn(queueUrl: string): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes } = await aws.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] }),
  );
  return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
}
