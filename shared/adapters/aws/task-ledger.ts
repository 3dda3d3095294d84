import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** Items outlive every message about them: SQS keeps messages for 14 days at most. */
const keptSeconds = 15 * 86_400;

/** A queued analysis; times in milliseconds since 1970, `expiresAt` in seconds as DynamoDB wants it. */
interface Entry {
  readonly jobId: number;
  readonly attempts: number;
  readonly lease?: string;
  readonly leasedUntil?: number;
  readonly expiresAt: number;
}

/** What a worker that wants a task is told. */
export type Claim =
  | { readonly kind: 'taken'; readonly attempt: number }
  /** Another worker's lease is alive for so long. */
  | { readonly kind: 'held'; readonly forMs: number }
  | { readonly kind: 'gone' };

/**
 * The tasks of the queue in a DynamoDB table (partition key `jobId`), whose conditional writes make one of
 * many deliveries count (architecture 3.3). Leases end by the workers' clocks, which must agree to within
 * a fraction of a lease.
 */
export class DynamoTaskLedger {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #leaseMs: number;

  constructor(client: DynamoDBDocumentClient, table: string, leaseSeconds: number) {
    this.#client = client;
    this.#table = table;
    this.#leaseMs = leaseSeconds * 1000;
  }

  /** Adds a job; false when it is there already. */
  async add(jobId: number): Promise<boolean> {
    const entry: Entry = { jobId, attempts: 0, expiresAt: expiry() };
    return unlessRefused(
      this.#client.send(
        new PutCommand({ TableName: this.#table, Item: entry, ConditionExpression: 'attribute_not_exists(jobId)' }),
      ),
    );
  }

  /** Takes a task for this lease, if nobody else's is alive. */
  async claim(jobId: number, lease: string, worker: string): Promise<Claim> {
    const now = Date.now();
    const taken = await unlessRefused(
      this.#update(jobId, {
        UpdateExpression:
          'SET lease = :lease, worker = :worker, leasedUntil = :until, expiresAt = :expiry ADD attempts :one',
        ConditionExpression: 'attribute_exists(jobId) AND (attribute_not_exists(lease) OR leasedUntil <= :now)',
        ExpressionAttributeValues: {
          ':lease': lease,
          ':worker': worker,
          ':until': now + this.#leaseMs,
          ':expiry': expiry(),
          ':one': 1,
          ':now': now,
        },
      }),
    );
    const entry = await this.#get(jobId);
    if (!entry) return { kind: 'gone' };
    if (taken && entry.lease === lease) return { kind: 'taken', attempt: entry.attempts };
    return { kind: 'held', forMs: Math.max(0, (entry.leasedUntil ?? 0) - now) };
  }

  /** Prolongs a lease; false when it is not the task's any more. */
  async extend(jobId: number, lease: string): Promise<boolean> {
    return this.#ifHeld(jobId, lease, 'SET leasedUntil = :until', { ':until': Date.now() + this.#leaseMs });
  }

  /** Ends a lease; false when it is not the task's any more. */
  async release(jobId: number, lease: string, countAttempt: boolean): Promise<boolean> {
    return this.#ifHeld(jobId, lease, 'REMOVE lease, worker, leasedUntil ADD attempts :more', {
      ':more': countAttempt ? 0 : -1,
    });
  }

  /** Removes a task under its lease; false when it is not the task's any more. */
  async finish(jobId: number, lease: string): Promise<boolean> {
    return unlessRefused(
      this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { jobId },
          ConditionExpression: 'lease = :lease',
          ExpressionAttributeValues: { ':lease': lease },
        }),
      ),
    );
  }

  async state(jobId: number): Promise<{ attempts: number; held: boolean } | null> {
    const entry = await this.#get(jobId);
    return entry && { attempts: entry.attempts, held: (entry.leasedUntil ?? 0) > Date.now() };
  }

  async remove(jobId: number): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { jobId } }));
  }

  #ifHeld(jobId: number, lease: string, expression: string, values: Record<string, unknown>): Promise<boolean> {
    return unlessRefused(
      this.#update(jobId, {
        UpdateExpression: expression,
        ConditionExpression: 'lease = :lease',
        ExpressionAttributeValues: { ...values, ':lease': lease },
      }),
    );
  }

  #update(jobId: number, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<unknown> {
    return this.#client.send(new UpdateCommand({ TableName: this.#table, Key: { jobId }, ...update }));
  }

  async #get(jobId: number): Promise<Entry | null> {
    const found = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { jobId }, ConsistentRead: true }),
    );
    return (found.Item as Entry | undefined) ?? null;
  }
}

function expiry(): number {
  return Math.ceil(Date.now() / 1000) + keptSeconds;
}

/** False when the write's condition did not hold. */
async function unlessRefused(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
