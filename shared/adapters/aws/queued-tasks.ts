import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { QueuedTask, QueuedTasks } from '@svc/application/ports/queued-tasks.ts';
import { isHeld, itemId, taskOf, type Entry } from './task-ledger.ts';

/** Pages of a megabyte, some thousand tasks each: however long the queue is, a look at it costs no more. */
const mostPages = 4;

/** The queue in SQS by its ledger. SQS itself shows nobody what waits in it; the message of a task that was taken out goes when it is received. */
export class DynamoQueuedTasks implements QueuedTasks {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async list(most: number): ReturnType<QueuedTasks['list']> {
    const waiting: QueuedTask[] = [];
    const delayed: QueuedTask[] = [];
    let from: Record<string, unknown> | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const scan = new ScanCommand({ TableName: this.#table, ...(from && { ExclusiveStartKey: from }) });
      const { Items = [], LastEvaluatedKey } = await this.#client.send(scan);
      // DynamoDB removes what has expired in its own time.
      const now = Date.now();
      const free = (Items as Entry[]).filter((one) => !isHeld(one) && one.expiresAt * 1000 > now).map(toQueued);
      for (const one of free) (one.dueAt === null ? waiting : delayed).push(one);
      from = LastEvaluatedKey;
      if (from === undefined) break;
    }
    const part = (all: QueuedTask[], by: 'queuedAt' | 'dueAt') => ({
      size: all.length,
      isMore: from !== undefined,
      entries: all.sort((a, b) => (a[by]?.getTime() ?? 0) - (b[by]?.getTime() ?? 0)).slice(0, most),
    });
    return { waiting: part(waiting, 'queuedAt'), delayed: part(delayed, 'dueAt') };
  }

  async get(key: string): Promise<QueuedTask | 'held' | null> {
    const get = new GetCommand({ TableName: this.#table, Key: { jobId: itemId(key) }, ConsistentRead: true });
    const { Item } = await this.#client.send(get);
    if (Item === undefined) return null;
    return isHeld(Item as Entry) ? 'held' : toQueued(Item as Entry);
  }

  async remove(key: string): Promise<boolean> {
    const remove = new DeleteCommand({
      TableName: this.#table,
      Key: { jobId: itemId(key) },
      ConditionExpression: 'attribute_exists(jobId) AND (attribute_not_exists(lease) OR leasedUntil <= :now)',
      ExpressionAttributeValues: { ':now': Date.now() },
    });
    try {
      await this.#client.send(remove);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

function toQueued(entry: Entry): QueuedTask {
  const { lane, attempts, queuedAt = entry.sentAt, dueAt = 0 } = entry;
  return {
    ...taskOf(entry),
    lane,
    attempts,
    queuedAt: queuedAt === undefined ? null : new Date(queuedAt),
    dueAt: dueAt > Date.now() ? new Date(dueAt) : null,
  };
}
