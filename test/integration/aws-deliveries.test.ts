import { analysisKey } from '@svc/contracts/tasks.ts';
import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageBatchCommand, type Message } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SqsLanes } from '@svc/adapters/aws/sqs-lanes.ts';
import { DynamoTaskLedger } from '@svc/adapters/aws/task-ledger.ts';
import { SqsTaskQueue } from '@svc/adapters/aws/task-queue.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { enginesOf, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { handleTask } from '@svc/application/work/handle-task.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor } from '@svc/domain';
import type { Context, SQSEvent } from 'aws-lambda';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../samples/random.ts';
import { startAwsEmulators } from '../support/aws-emulators.ts';

const deliveries = 10_000;
const jobCount = 200;
const leaseSeconds = 5;
const largestFastBytes = 100;
const isLarge = (at: number): boolean => at % 3 === 0;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const seed = Number(process.env['DELIVERIES_SEED'] ?? Date.now() % 1_000_000);
const random = new Random(seed);

const aws = await startAwsEmulators();
const urls = {
  fast: await aws.queue('fast'),
  heavy: await aws.queue('heavy'),
  sweep: null,
  dead: await aws.queue('dead'),
};
const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(aws.dynamo), await aws.ledger('tasks'), leaseSeconds);
let delivered = 0;
const lanes = new SqsLanes(aws.sqs, urls);
const counting = overriding(lanes, {
  poll: async (queueUrl, wait) => {
    const message = await lanes.poll(queueUrl, wait);
    if (message) delivered += 1;
    return message;
  },
});
const queueOf = (lane: 'fast' | 'heavy'): SqsTaskQueue =>
  new SqsTaskQueue(counting, ledger, { leaseSeconds, lanes: [lane] });
const [fast, heavy] = [queueOf('fast'), queueOf('heavy')];
const test = await openTestPorts({
  deployment: { heartbeatSeconds: 1, fastMaxBytes: largestFastBytes, heavyQueue: true, maxUploadBytes: 1_048_576 },
});

/** How often the outcome of each job's task was taken. */
const outcomes = new Map<number, number>();
/** Jobs whose first worker does not live to see their end. */
const unlucky = new Set<number>();
let losses = 0;
const results = overriding(test.ports.results, {
  finishTask: async (taskId, outcome, at) => {
    const isTaken = await test.ports.results.finishTask(taskId, outcome, at);
    if (isTaken) outcomes.set(taskId, (outcomes.get(taskId) ?? 0) + 1);
    return isTaken;
  },
});
const ports: Ports = { ...test.ports, results, tasks: fast, ledger: fast, deliveries: fast };
/** A worker that shows no signs of life while it works. */
const silent = (tasks: SqsTaskQueue): Ports['tasks'] =>
  overriding<Ports['tasks']>(tasks, { extend: () => Promise.reject(new Error('cut off')) });

const ids: number[] = [];
beforeAll(async () => {
  await test.reset();
  for (let at = 0; at < jobCount; at++) {
    const content = `ElfFile\0${at}`.padEnd(isLarge(at) ? largestFastBytes + 1 : 20);
    const id = await submitLog(ports, visitor, { content });
    ids.push(id);
    if (random.int(0, 9) === 0) unlucky.add(id);
  }
});
afterAll(async () => {
  await test.close();
  await aws.stop();
});

/** Each job's number again and again, up to eight times in a row, in either lane, in no order but this one. */
function messages(): { lane: 'fast' | 'heavy'; id: number }[] {
  const first = ids.map((id, at) => [{ id, lane: isLarge(at) ? ('heavy' as const) : ('fast' as const) }]);
  const bursts = [...first];
  for (let count = ids.length; count < deliveries;) {
    const burst = { id: random.pick(ids), lane: random.int(0, 3) === 0 ? ('heavy' as const) : ('fast' as const) };
    const times = Math.min(random.int(1, 8), deliveries - count);
    bursts.push(Array.from({ length: times }, () => burst));
    count += times;
  }
  for (let at = bursts.length - 1; at > 0; at--) {
    const other = random.int(0, at);
    [bursts[at], bursts[other]] = [bursts[other]!, bursts[at]!];
  }
  return bursts.flat();
}

async function sendAll(): Promise<void> {
  for (const lane of ['fast', 'heavy'] as const) {
    // Those that the jobs were queued with would come before all others.
    await aws.sqs.send(new PurgeQueueCommand({ QueueUrl: urls[lane] }));
  }
  const all = messages();
  for (const lane of ['fast', 'heavy'] as const) {
    const bodies = all.filter((message) => message.lane === lane).map(({ id }) => String(id));
    while (bodies.length > 0) {
      const Entries = bodies.splice(0, 10).map((MessageBody, at) => ({ Id: String(at), MessageBody }));
      await aws.sqs.send(new SendMessageBatchCommand({ QueueUrl: urls[lane], Entries }));
    }
  }
}

type Handler = (event: SQSEvent, context: Context) => Promise<unknown>;
let isOver = false;

/** What Lambda does: takes messages and runs the function for each; some of its instances do not survive. */
async function runFunctions(handler: Handler): Promise<void> {
  while (!isOver) {
    const { Messages = [] } = await aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: urls.fast, MaxNumberOfMessages: 5, VisibilityTimeout: leaseSeconds }),
    );
    delivered += Messages.length;
    await Promise.all(Messages.map(async (message) => runFunction(handler, message)));
    if (Messages.length === 0) await sleep(100);
  }
}

async function runFunction(handler: Handler, { MessageId, Body = '', ReceiptHandle = '' }: Message): Promise<void> {
  if (unlucky.has(Number(Body))) {
    const lease = await fast.accept({ lane: 'fast', body: Body, receipt: ReceiptHandle }, 'dies');
    if (typeof lease === 'object') unlucky.delete(Number(Body));
    return;
  }
  const record = { messageId: MessageId, body: Body, receiptHandle: ReceiptHandle };
  const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 300_000 };
  // Messages that it does not report it has deleted itself.
  await handler({ Records: [record] } as unknown as SQSEvent, context as Context);
}

/** What a worker does; some of them are cut off in the middle of a job, and go on without knowing. */
async function runWorker(name: string): Promise<void> {
  while (!isOver) {
    const lease = await heavy.receive({ worker: name, waitMs: 100 });
    if (!lease) continue;
    const isCutOff = lease.task.kind === 'run_analysis' && unlucky.delete(lease.task.jobId);
    const stalling = isCutOff ? new Promise((resolve) => setTimeout(resolve, leaseSeconds * 1300)) : null;
    const engine = overriding(test.engine, {
      run: async (input, run) => {
        await stalling;
        return test.engine.run(input, run);
      },
    });
    const tasks = isCutOff ? silent(heavy) : heavy;
    const own = {
      ...ports,
      tasks,
      ledger: heavy,
      engines: enginesOf((tool) => (tool === engine.name ? engine : null)),
    };
    await handleTask(own, lease, { leave: new AbortController().signal }).catch(() => undefined);
  }
}

async function drained(): Promise<void> {
  for (;;) {
    const left = (await aws.messages(urls.fast)) + (await aws.messages(urls.heavy));
    if (left === 0 && (await ports.jobViews.live()).length === 0) return;
    await sleep(1000);
  }
}

it(`leaves one result of each job, however often and in whatever order its messages come (seed ${seed})`, async () => {
  console.info(`deliveries: DELIVERIES_SEED=${seed} repeats this order`);
  usePorts(ports);
  const { handler } = await import('@svc/functions/queue/analyze.ts');
  test.engine.behave = async () => {
    await sleep(random.int(0, 30));
    return output();
  };
  losses = unlucky.size;
  expect(losses).toBeGreaterThan(0);
  await sendAll();
  const running = [...Array.from({ length: 3 }, () => runFunctions(handler)), ...['a', 'b', 'c', 'd'].map(runWorker)];
  await drained();
  isOver = true;
  await Promise.all(running);

  for (const id of ids) {
    expect((await ports.jobs.get(id))?.job).toMatchObject({ status: 'completed', totalFindings: 1, scoreRatio: '1/1' });
    expect(await ports.jobViews.tasks(id)).toMatchObject([{ status: 'completed', findingsCount: 1 }]);
    expect(await ledger.state(analysisKey(id))).toBeNull();
  }
  // One after another, too: only who was lost is replaced, and now and then who was slow on a busy machine, with
  // what it had found by then.
  expect(test.engine.inputs.length).toBeLessThan(jobCount + losses + jobCount / 10);
  expect(outcomes.size).toBeGreaterThanOrEqual(jobCount);
  expect(outcomes.size).toBeLessThan(jobCount + jobCount / 10);
  expect(new Set(outcomes.values())).toEqual(new Set([1]));
  expect(await aws.messages(urls.dead)).toBe(0);
  expect(unlucky.size).toBe(0);
  expect(delivered).toBeGreaterThanOrEqual(deliveries);
  console.info(`${delivered} deliveries of ${jobCount} jobs, ${losses} of which lost their first worker`);
}, 400_000);
