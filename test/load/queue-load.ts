import { ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotClient } from '../support/slot-client.ts';
import { variedLog } from '../support/varied-log.ts';
import { inParallel } from './http-client.ts';

const atOnce = 4;
const terminal = new Set(['completed', 'partial', 'failed', 'cancelled']);

/** Submits so many event logs, each with bytes of its own, made of the samples in turn; the ids in that order. */
export async function submitLoad(
  client: SlotClient,
  samples: readonly Uint8Array[],
  files: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  await inParallel(files, atOnce, async (index) => {
    ids[index] = await client.submit(`log-${index}.evtx`, variedLog(samples[index % samples.length]!, index));
  });
  return ids;
}

/** Waits until all have ended; how many ended how. */
export async function allEnded(client: SlotClient, ids: readonly number[]): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    const states = await client.states(ids);
    if (states.every(({ status }) => terminal.has(status))) {
      const ends: Record<string, number> = {};
      for (const { status } of states) ends[status] = (ends[status] ?? 0) + 1;
      return ends;
    }
    await sleep(250);
  }
}

/** Which of a load's reports do not say, match for match, what the plain sample's report says. */
export async function otherThanSamples(
  client: SlotClient,
  samples: readonly Uint8Array[],
  ids: readonly number[],
): Promise<readonly number[]> {
  const plain = await Promise.all(samples.map((sample) => client.submit('plain.evtx', Uint8Array.from(sample))));
  await allEnded(client, plain);
  const expected = await Promise.all(plain.map((id) => reportOf(client, id)));
  if (expected.some((report) => report === '[]')) throw new Error('a sample has no findings');
  const others: number[] = [];
  await inParallel(ids.length, atOnce, async (index) => {
    if ((await reportOf(client, ids[index]!)) !== expected[index % samples.length]) others.push(ids[index]!);
  });
  return others;
}

async function reportOf(client: SlotClient, id: number): Promise<string> {
  return JSON.stringify((await client.report(id)).toSorted());
}

/** Messages and tasks that are still somewhere. */
export async function leftIn(
  { sqs, dynamo }: { readonly sqs: SQSClient; readonly dynamo: DynamoDBClient },
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const left: Record<string, number> = {};
  for (const name of ['TASKQ_SQS_URL', 'TASKQ_SQS_HEAVY_URL', 'TASKQ_SQS_DEAD_URL']) {
    const counted = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: env[name], AttributeNames: ['All'] }));
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: hidden } =
      counted.Attributes ?? {};
    left[name] = Number(waiting) + Number(hidden);
  }
  const table = env['TASKQ_LEDGER_TABLE'];
  left['TASKQ_LEDGER_TABLE'] = (await dynamo.send(new ScanCommand({ TableName: table, Select: 'COUNT' }))).Count ?? 0;
  return left;
}
