import { analysisKey, analysisOf } from '@svc/contracts/tasks.ts';
import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Lane, Lease } from '@svc/application/ports/task-queue.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startAwsEmulators, type AwsEmulators } from '../../../test/support/aws-emulators.ts';
import { queuedTasksContract } from '../contract/queued-tasks.ts';
import { taskQueueContract } from '../contract/task-queue.ts';
import { DynamoQueuedTasks } from './queued-tasks.ts';
import { SqsLanes, type LaneUrls } from './sqs-lanes.ts';
import { DynamoTaskLedger } from './task-ledger.ts';
import { SqsTaskQueue } from './task-queue.ts';

let aws: AwsEmulators;
let made = 0;
beforeAll(async () => {
  aws = await startAwsEmulators();
});
afterAll(() => aws.stop());

interface Made {
  readonly urls: LaneUrls & { readonly heavy: string; readonly sweep: string; readonly dead: string };
  readonly ledger: DynamoTaskLedger;
  readonly queuedTasks: DynamoQueuedTasks;
  /** The queue in a process of its own, which takes from these lanes. */
  readonly over: (lanes: readonly Lane[], urls?: LaneUrls) => SqsTaskQueue;
}

async function make(leaseSeconds = 1, attributes?: Record<string, string>): Promise<Made> {
  const name = `analysis-${made++}`;
  const [fast, heavy, sweep, dead] = await Promise.all([
    aws.queue(name, attributes),
    aws.queue(`${name}-heavy`),
    aws.queue(`${name}-sweep`),
    aws.queue(`${name}-dead`),
  ]);
  await aws.ledger(name);
  const urls = { fast, heavy, sweep, dead };
  const client = DynamoDBDocumentClient.from(aws.dynamo);
  const ledger = new DynamoTaskLedger(client, name, leaseSeconds);
  return {
    urls,
    ledger,
    queuedTasks: new DynamoQueuedTasks(client, name),
    over: (lanes, of = urls) => new SqsTaskQueue(new SqsLanes(aws.sqs, of), ledger, { leaseSeconds, lanes }),
  };
}

describe('with one queue', () => {
  taskQueueContract(
    async (leaseSeconds) => {
      const { urls, over } = await make(leaseSeconds);
      const queue = over(['fast'], { ...urls, heavy: null, sweep: null });
      return { tasks: queue, ledger: queue };
    },
    { isShared: true },
  );
});

describe('with a queue per lane', () => {
  taskQueueContract(
    async (leaseSeconds) => {
      const queue = (await make(leaseSeconds)).over(['fast', 'heavy', 'sweep']);
      return { tasks: queue, ledger: queue };
    },
    { isShared: true },
  );
});

queuedTasksContract(async () => {
  const { over, queuedTasks } = await make();
  return { tasks: over(['fast', 'heavy', 'sweep']), queuedTasks };
});

const send = (queueUrl: string, body: string): Promise<unknown> =>
  aws.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));

async function receivedFrom(queue: SqsTaskQueue): Promise<Lease> {
  const lease = await queue.receive({ worker: 'w', waitMs: 0 });
  if (!lease) throw new Error('nothing was received');
  return lease;
}

describe('the two lanes', () => {
  let urls: Made['urls'];
  let over: Made['over'];
  let fast: SqsTaskQueue;
  let heavy: SqsTaskQueue;
  beforeEach(async () => {
    ({ urls, over } = await make());
    [fast, heavy] = [over(['fast']), over(['heavy'])];
  });
  const nothingIn = async (queue: SqsTaskQueue): Promise<void> => {
    expect(await queue.receive({ worker: 'w', waitMs: 0 })).toBeNull();
  };

  it('give each worker what its lane has', async () => {
    await fast.enqueue(analysisOf(1), { lane: 'heavy' });
    await fast.enqueue(analysisOf(2), { lane: 'fast' });
    expect(await receivedFrom(fast)).toMatchObject({ task: { jobId: 2 } });
    await nothingIn(fast);
    expect(await receivedFrom(heavy)).toMatchObject({ task: { jobId: 1 } });
    expect([await fast.depth('fast'), await fast.depth('heavy')]).toEqual([1, 1]);
  });

  it('tell SQS whose a task is, which is fair between the groups of its messages', async () => {
    const groups: unknown[] = [];
    const noting = { name: 'note-groups', step: 'initialize' } as const;
    aws.sqs.middlewareStack.add(
      (next) => (args) => {
        if ('MessageBody' in args.input) groups.push(args.input.MessageGroupId);
        return next(args);
      },
      noting,
    );
    await fast.enqueue(analysisOf(1), { submitter: 'abc123' });
    const { Messages } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: urls.fast }));
    // As Lambda has it of SQS; the emulator forgets it.
    const delivery = { lane: 'fast', body: '1', receipt: Messages![0]!.ReceiptHandle!, submitter: 'abc123' } as const;
    const lease = await fast.accept(delivery, 'w');
    if (typeof lease === 'string') throw new Error(lease);
    await fast.release(lease, { delaySeconds: 0, countAttempt: false, lane: 'heavy' });
    aws.sqs.middlewareStack.remove(noting.name);
    expect(groups).toEqual(['abc123', 'abc123']);
    expect(await receivedFrom(heavy)).toMatchObject({ task: { jobId: 1 } });
  });

  it('keep a task where it went on, whoever queues it again', async () => {
    await fast.enqueue(analysisOf(1), { lane: 'fast' });
    await fast.release(await receivedFrom(fast), { delaySeconds: 0, countAttempt: true, lane: 'heavy' });
    expect(await aws.messages(urls.fast)).toBe(0);
    expect(await fast.enqueue(analysisOf(1), { lane: 'fast' })).toBeNull();
    expect(await receivedFrom(heavy)).toMatchObject({ task: { jobId: 1 }, attempt: 2 });
    await sleep(1100);
    expect(await fast.enqueue(analysisOf(1), { lane: 'fast' })).toBe('heavy');
    await nothingIn(fast);
  });

  it('lead a message that was left behind to where its task went on, once', async () => {
    await fast.enqueue(analysisOf(1), { lane: 'fast' });
    await send(urls.fast, '1');
    await fast.release(await receivedFrom(fast), { delaySeconds: 0, countAttempt: true, lane: 'heavy' });
    await nothingIn(fast);
    expect([await aws.messages(urls.fast), await aws.messages(urls.heavy)]).toEqual([0, 1]);
    expect(await receivedFrom(heavy)).toMatchObject({ task: { jobId: 1 }, attempt: 2 });
  });

  it('lead it there, too, when its worker ended before it had sent another one', async () => {
    const doomed = over(['fast'], { ...urls, heavy: 'http://127.0.0.1:1/x' });
    await doomed.enqueue(analysisOf(1), { lane: 'fast' });
    const moving = doomed.release(await receivedFrom(doomed), { delaySeconds: 0, countAttempt: true, lane: 'heavy' });
    await expect(moving).rejects.toThrow('queue does not exist');
    await sleep(1100);
    await nothingIn(fast);
    expect(await aws.messages(urls.fast)).toBe(0);
    expect(await receivedFrom(heavy)).toMatchObject({ task: { jobId: 1 }, attempt: 2 });
  });

  it('tell the dead-letter queue what was given up, and why', async () => {
    await fast.enqueue(analysisOf(7), { lane: 'fast' });
    const lease = await receivedFrom(fast);
    await fast.bury(analysisKey(7), 'worker_lost_startup');
    await fast.acknowledge(lease);
    expect(await aws.messages(urls.fast)).toBe(0);
    const { Messages } = await aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urls.dead, MessageAttributeNames: ['All'] }),
    );
    expect(Messages).toMatchObject([
      { Body: '7', MessageAttributes: { reason: { StringValue: 'worker_lost_startup' } } },
    ]);
  });
});

describe('what SQS does beside', () => {
  it('is asked again for a job whose process ended between the ledger and the queue', async () => {
    const { ledger, over } = await make();
    const queue = over(['fast']);
    await ledger.add(analysisKey(5), { task: analysisOf(5), lane: 'fast' });
    expect(await queue.enqueue(analysisOf(5), { lane: 'fast' })).toBe('fast');
    expect(await receivedFrom(queue)).toMatchObject({ task: { jobId: 5 }, attempt: 1 });
  });

  it('is asked again for a job whose message is lost', async () => {
    const { urls, over } = await make();
    const queue = over(['fast']);
    await queue.enqueue(analysisOf(5), { lane: 'fast' });
    await aws.sqs.send(new PurgeQueueCommand({ QueueUrl: urls.fast }));
    expect(await queue.enqueue(analysisOf(5), { lane: 'fast' })).toBeNull();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 });
    try {
      expect(await queue.enqueue(analysisOf(5), { lane: 'fast' })).toBe('fast');
    } finally {
      vi.useRealTimers();
    }
    expect(await receivedFrom(queue)).toMatchObject({ task: { jobId: 5 }, attempt: 1 });
  });

  it('takes messages from what has received them', async () => {
    const { urls, over } = await make();
    const [queue, other] = [over(['fast']), over(['fast'])];
    await queue.enqueue(analysisOf(5), { lane: 'fast' });
    await send(urls.fast, '5');
    const deliver = async (to: SqsTaskQueue): ReturnType<SqsTaskQueue['accept']> => {
      const { Messages } = await aws.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: urls.fast, VisibilityTimeout: 900 }),
      );
      return to.accept({ lane: 'fast', body: Messages![0]!.Body!, receipt: Messages![0]!.ReceiptHandle! }, 'lambda');
    };
    const lease = (await deliver(queue)) as Lease;
    expect(lease).toMatchObject({ task: { jobId: 5 }, attempt: 1 });
    expect(await deliver(other)).toBe('held');
    // Both messages come back after a lease, not after what the queue says.
    await sleep(1100);
    expect(await deliver(other)).toMatchObject({ task: { jobId: 5 }, attempt: 2 });
    expect(await queue.extend(lease)).toBe(false);
    await queue.remove(analysisKey(5));
    expect(await deliver(queue)).toBe('gone');
    await expect(queue.accept({ lane: 'fast', body: '{}', receipt: 'x' }, 'lambda')).rejects.toThrow(
      'names no task: {}',
    );
  });

  it('leaves a message that names no task, which goes where dead letters go', async () => {
    const dead = await aws.queue('redriven');
    const deadLetterTargetArn = await aws.arnOf(dead);
    const { urls, over } = await make(1, {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: '2' }),
    });
    const queue = over(['fast']);
    await send(urls.fast, 'poison');
    for (let time = 0; time < 2; time++) {
      await expect(queue.receive({ worker: 'w', waitMs: 0 })).rejects.toThrow('names no task: poison');
      await sleep(1100);
    }
    expect(await queue.receive({ worker: 'w', waitMs: 0 })).toBeNull();
    expect(await aws.messages(dead)).toBe(1);
  });

  it('leaves nothing behind when nothing can be sent', async () => {
    const { urls, over } = await make();
    const nowhere = over(['fast'], { ...urls, fast: 'http://127.0.0.1:1/x' });
    await expect(nowhere.enqueue(analysisOf(9), { lane: 'fast' })).rejects.toThrow('queue does not exist');
    expect(await nowhere.state(analysisKey(9))).toBeNull();
  });
});
