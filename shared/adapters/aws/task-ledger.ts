import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Lane } from '@svc/application/ports/task-queue.ts';

/** Items outlive every message about them: SQS keeps messages for 14 days at most. */
const keptSeconds = 15 * 86_400;
/** A message that is not received for so long counts as lost; sending another one does no harm. */
const lostMs = 900_000;

/** A queued analysis; times in milliseconds since 1970, `expiresAt` in seconds as DynamoDB wants it. */
interface Entry {
  readonly jobId: number;
  readonly lane: Lane;
  readonly attempts: number;
  readonly lease?: string;
  readonly leasedUntil?: number;
  /** When the message was sent that waits in the lane; not there while it is worked on. */
  readonly sentAt?: number;
  readonly expiresAt: number;
}

/** What a worker that wants a task is told. */
export type Claim =
  | { readonly kind: 'taken'; readonly attempt: number }
  /** Another worker's lease is alive for so long. */
  | { readonly kind: 'held'; readonly forMs: number }
  /** The task goes on in this lane; `needsMessage` unless one about it is there. */
  | { readonly kind: 'elsewhere'; readonly lane: Lane; readonly needsMessage: boolean }
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

  /**
   * Adds a job, unless it is there. Answers with its lane and whether it is new, or null when it waits
   * there already or is held: then no message is needed.
   */
  async add(jobId: number, lane: Lane): Promise<{ lane: Lane; isNew: boolean } | null> {
    const entry: Entry = { jobId, lane, attempts: 0, expiresAt: expiry() };
    const added = await unlessRefused(
      this.#client.send(
        new PutCommand({ TableName: this.#table, Item: entry, ConditionExpression: 'attribute_not_exists(jobId)' }),
      ),
    );
    if (added) return { lane, isNew: true };
    const earlier = await this.#get(jobId);
    return earlier && needsMessage(earlier) ? { lane: earlier.lane, isNew: false } : null;
  }

  /** Notes that a message about the task waits in its lane, unless it was taken meanwhile. */
  async markSent(jobId: number): Promise<void> {
    await unlessRefused(
      this.#update(jobId, {
        UpdateExpression: 'SET sentAt = :now',
        ConditionExpression: 'attribute_exists(jobId) AND attribute_not_exists(lease)',
        ExpressionAttributeValues: { ':now': Date.now() },
      }),
    );
  }

  /** Takes a task for this lease, if nobody else's is alive and it is in one of these lanes. */
  async claim(jobId: number, lease: string, worker: string, lanes: readonly Lane[]): Promise<Claim> {
    const now = Date.now();
    const placeholders = lanes.map((lane) => [`:${lane}`, lane] as const);
    const taken = await unlessRefused(
      this.#update(jobId, {
        UpdateExpression:
          'SET lease = :lease, worker = :worker, leasedUntil = :until, expiresAt = :expiry REMOVE sentAt ADD attempts :one',
        ConditionExpression: `lane IN (${placeholders.map(([name]) => name).join()}) AND (attribute_not_exists(lease) OR leasedUntil <= :now)`,
        ExpressionAttributeValues: {
          ...Object.fromEntries(placeholders),
          ':lease': lease,
          ':worker': worker,
          ':until': now + this.#leaseMs,
          ':expiry': expiry(),
          ':one': 1,
          ':now': now,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    const entry = taken ? (taken.Attributes as Entry) : await this.#get(jobId);
    if (!entry) return { kind: 'gone' };
    // Also when the write was repeated, for lack of an answer, and refused the second time.
    if (entry.lease === lease) return { kind: 'taken', attempt: entry.attempts };
    if (!lanes.includes(entry.lane)) {
      return { kind: 'elsewhere', lane: entry.lane, needsMessage: needsMessage(entry) };
    }
    return { kind: 'held', forMs: Math.max(0, (entry.leasedUntil ?? 0) - now) };
  }

  /** Prolongs a lease; false when it is not the task's any more. */
  async extend(jobId: number, lease: string): Promise<boolean> {
    return this.#ifHeld(jobId, lease, 'SET leasedUntil = :until', { ':until': Date.now() + this.#leaseMs });
  }

  /** Ends a lease, its message waiting where it is; false when it is not the task's any more. */
  async release(jobId: number, lease: string, countAttempt: boolean): Promise<boolean> {
    return this.#ifHeld(jobId, lease, 'SET sentAt = :now REMOVE lease, worker, leasedUntil ADD attempts :more', {
      ':now': Date.now(),
      ':more': countAttempt ? 0 : -1,
    });
  }

  /** Ends a lease and moves the task to another lane, where no message about it is yet. */
  async move(jobId: number, lease: string, lane: Lane, countAttempt: boolean): Promise<boolean> {
    return this.#ifHeld(jobId, lease, 'SET lane = :lane REMOVE lease, worker, leasedUntil ADD attempts :more', {
      ':lane': lane,
      ':more': countAttempt ? 0 : -1,
    });
  }

  /** Removes a task under its lease, unless that is done; false when the lease is not the task's any more. */
  async finish(jobId: number, lease: string): Promise<boolean> {
    const finished = await unlessRefused(
      this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { jobId },
          ConditionExpression: 'attribute_not_exists(jobId) OR lease = :lease',
          ExpressionAttributeValues: { ':lease': lease },
        }),
      ),
    );
    return finished !== null;
  }

  async state(jobId: number): Promise<{ attempts: number; held: boolean } | null> {
    const entry = await this.#get(jobId);
    return entry && { attempts: entry.attempts, held: isHeld(entry) };
  }

  async remove(jobId: number): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { jobId } }));
  }

  async #ifHeld(jobId: number, lease: string, expression: string, values: Record<string, unknown>): Promise<boolean> {
    const written = await unlessRefused(
      this.#update(jobId, {
        UpdateExpression: expression,
        ConditionExpression: 'lease = :lease',
        ExpressionAttributeValues: { ...values, ':lease': lease },
      }),
    );
    return written !== null;
  }

  #update(jobId: number, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<UpdateCommandOutput> {
    return this.#client.send(new UpdateCommand({ TableName: this.#table, Key: { jobId }, ...update }));
  }

  async #get(jobId: number): Promise<Entry | null> {
    const found = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { jobId }, ConsistentRead: true }),
    );
    return (found.Item as Entry | undefined) ?? null;
  }
}

function isHeld({ leasedUntil = 0 }: Entry): boolean {
  return leasedUntil > Date.now();
}

/** Its process may have ended before it sent one, its worker without giving the task back, or the message is lost. */
function needsMessage(entry: Entry): boolean {
  return !isHeld(entry) && (entry.sentAt ?? 0) < Date.now() - lostMs;
}

function expiry(): number {
  return Math.ceil(Date.now() / 1000) + keptSeconds;
}

/** Null when the write's condition did not hold. */
async function unlessRefused<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}
