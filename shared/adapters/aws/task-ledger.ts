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
import { analysisOf, keyOf, policyOf, readTask, type Lane, type Task, type UnknownTask } from '@svc/contracts/tasks.ts';
import { createHash } from 'node:crypto';

/** Items outlive every message about them: SQS keeps messages for 14 days at most. */
const keptSeconds = 15 * 86_400;
/** A message that is not received for so long counts as lost; sending another one does no harm. */
const lostMs = 900_000;

/** A queued task; times in milliseconds since 1970, `expiresAt` in seconds as DynamoDB wants it. */
export interface Entry {
  /** Of an analysis the number of its job; of others below zero, made of their keys. */
  readonly jobId: number | bigint;
  /** Of others; so is its key, which entries of earlier versions do not have. */
  readonly task?: unknown;
  readonly key?: string;
  readonly lane: Lane;
  readonly attempts: number;
  /** Not there in entries of earlier versions. */
  readonly queuedAt?: number;
  readonly lease?: string;
  readonly leasedUntil?: number;
  /** When the message that waits in the lane was sent, or is to be seen; not there while it is worked on. */
  readonly sentAt?: number;
  /** Not before this time. */
  readonly dueAt?: number;
  readonly expiresAt: number;
}

/** The part of a lease that the ledger goes by. */
interface Lease {
  readonly key: string;
  readonly token: string;
  readonly task: Task | UnknownTask;
}

/** What a worker that wants a task is told. */
export type Claim =
  | { readonly kind: 'taken'; readonly attempt: number }
  /** Another worker's lease is alive for so long. */
  | { readonly kind: 'held'; readonly forMs: number }
  /** Its time comes so much later. */
  | { readonly kind: 'early'; readonly forMs: number }
  /** The task goes on in this lane; `needsMessage` unless one about it is there. */
  | { readonly kind: 'elsewhere'; readonly lane: Lane; readonly needsMessage: boolean }
  | { readonly kind: 'gone' };

/**
 * The tasks of the queue in a DynamoDB table (partition key `jobId`, a number as when all tasks were jobs), whose conditional writes make one of
 * many deliveries count (architecture 3.3). Leases end by the workers' clocks, which must agree to within
 * a fraction of a lease.
 */
export class DynamoTaskLedger {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #leaseSeconds: number;

  constructor(client: DynamoDBDocumentClient, table: string, leaseSeconds: number) {
    this.#client = client;
    this.#table = table;
    this.#leaseSeconds = leaseSeconds;
  }

  /**
   * Adds a task, unless one of its key is there. Answers with its lane and whether it is new, or null when it waits
   * there already or is held: then no message is needed.
   */
  async add(
    key: string,
    { task, lane, delaySeconds = 0 }: { task: Task | UnknownTask; lane: Lane; delaySeconds?: number },
  ): Promise<{ lane: Lane; isNew: boolean } | null> {
    const entry: Entry = {
      jobId: itemId(key),
      ...(task.kind !== 'run_analysis' && { task: task.kind === 'unknown' ? task.stored : task, key }),
      lane,
      attempts: 0,
      queuedAt: Date.now(),
      ...(delaySeconds > 0 && { dueAt: Date.now() + delaySeconds * 1000 }),
      expiresAt: expiry(delaySeconds),
    };
    const added = await unlessRefused(
      this.#client.send(
        new PutCommand({ TableName: this.#table, Item: entry, ConditionExpression: 'attribute_not_exists(jobId)' }),
      ),
    );
    if (added) return { lane, isNew: true };
    const earlier = await this.#get(key);
    return earlier && needsMessage(earlier) ? { lane: earlier.lane, isNew: false } : null;
  }

  /** Notes that a message about the task waits in its lane, to be seen then, unless it was taken meanwhile. */
  async markSent(key: string, delaySeconds = 0): Promise<void> {
    await unlessRefused(
      this.#update(key, {
        UpdateExpression: 'SET sentAt = :now',
        ConditionExpression: 'attribute_exists(jobId) AND attribute_not_exists(lease)',
        ExpressionAttributeValues: { ':now': Date.now() + delaySeconds * 1000 },
      }),
    );
  }

  /** Takes a task for this lease, if nobody else's is alive and it is in one of these lanes. */
  async claim(
    { key, task }: { key: string; task: Task | UnknownTask },
    { lease, worker, lanes }: { lease: string; worker: string; lanes: readonly Lane[] },
  ): Promise<Claim> {
    const now = Date.now();
    const placeholders = lanes.map((lane) => [`:${lane}`, lane] as const);
    const taken = await unlessRefused(
      this.#update(key, {
        UpdateExpression:
          'SET lease = :lease, worker = :worker, leasedUntil = :until, expiresAt = :expiry REMOVE sentAt, dueAt ADD attempts :one',
        ConditionExpression: `lane IN (${placeholders.map(([name]) => name).join()}) AND (attribute_not_exists(lease) OR leasedUntil <= :now) AND (attribute_not_exists(dueAt) OR dueAt <= :now)`,
        ExpressionAttributeValues: {
          ...Object.fromEntries(placeholders),
          ':lease': lease,
          ':worker': worker,
          ':until': now + this.leaseSecondsOf(task) * 1000,
          ':expiry': expiry(),
          ':one': 1,
          ':now': now,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    const entry = taken ? (taken.Attributes as Entry) : await this.#get(key);
    if (!entry) return { kind: 'gone' };
    // Also when the write was repeated, for lack of an answer, and refused the second time.
    if (entry.lease === lease) return { kind: 'taken', attempt: entry.attempts };
    if (!lanes.includes(entry.lane)) {
      return { kind: 'elsewhere', lane: entry.lane, needsMessage: needsMessage(entry) };
    }
    if ((entry.dueAt ?? 0) > now) return { kind: 'early', forMs: entry.dueAt! - now };
    return { kind: 'held', forMs: Math.max(0, (entry.leasedUntil ?? 0) - now) };
  }

  /** Prolongs a lease; false when it is not the task's any more. */
  async extend({ key, token, task }: Lease): Promise<boolean> {
    const until = Date.now() + this.leaseSecondsOf(task) * 1000;
    return this.#ifHeld(key, token, 'SET leasedUntil = :until', { ':until': until });
  }

  /** Ends a lease, its message waiting where it is; false when it is not the task's any more. */
  async release(key: string, lease: string, how: { countAttempt: boolean; delaySeconds: number }): Promise<boolean> {
    const { countAttempt, delaySeconds } = how;
    const due = 'SET sentAt = :now, dueAt = :now REMOVE lease, worker, leasedUntil ADD attempts :more';
    return this.#ifHeld(key, lease, due, {
      ':now': Date.now() + delaySeconds * 1000,
      ':more': countAttempt ? 0 : -1,
    });
  }

  /** Ends a lease and moves the task to another lane, where no message about it is yet. */
  async move(key: string, lease: string, lane: Lane, countAttempt: boolean): Promise<boolean> {
    return this.#ifHeld(key, lease, 'SET lane = :lane REMOVE lease, worker, leasedUntil ADD attempts :more', {
      ':lane': lane,
      ':more': countAttempt ? 0 : -1,
    });
  }

  /** Removes a task under its lease, unless that is done; false when the lease is not the task's any more. */
  async finish(key: string, lease: string): Promise<boolean> {
    const finished = await unlessRefused(
      this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { jobId: itemId(key) },
          ConditionExpression: 'attribute_not_exists(jobId) OR lease = :lease',
          ExpressionAttributeValues: { ':lease': lease },
        }),
      ),
    );
    return finished !== null;
  }

  async state(key: string): Promise<{ attempts: number; held: boolean } | null> {
    const entry = await this.#get(key);
    return entry && { attempts: entry.attempts, held: isHeld(entry) };
  }

  /** The task as it was stored, unless it is an analysis or is gone. */
  async remove(key: string): Promise<unknown> {
    const removed = await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { jobId: itemId(key) }, ReturnValues: 'ALL_OLD' }),
    );
    return (removed.Attributes as Entry | undefined)?.task;
  }

  /** How long a lease of a task lives. */
  leaseSecondsOf(task: Task | UnknownTask): number {
    return policyOf(task)?.leaseSeconds ?? this.#leaseSeconds;
  }

  async #ifHeld(key: string, lease: string, expression: string, values: Record<string, unknown>): Promise<boolean> {
    const written = await unlessRefused(
      this.#update(key, {
        UpdateExpression: expression,
        ConditionExpression: 'lease = :lease',
        ExpressionAttributeValues: { ...values, ':lease': lease },
      }),
    );
    return written !== null;
  }

  #update(key: string, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<UpdateCommandOutput> {
    return this.#client.send(new UpdateCommand({ TableName: this.#table, Key: { jobId: itemId(key) }, ...update }));
  }

  async #get(key: string): Promise<Entry | null> {
    const found = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { jobId: itemId(key) }, ConsistentRead: true }),
    );
    return (found.Item as Entry | undefined) ?? null;
  }
}

/** What an entry is about. */
export function taskOf({ jobId, task: stored, key }: Entry): { key: string; task: Task | UnknownTask } {
  const task = jobId > 0 ? analysisOf(Number(jobId)) : readTask(stored);
  // One of an earlier version that names a kind of a later one is known by its number alone.
  return { task, key: key ?? (task.kind === 'unknown' ? String(jobId) : keyOf(task)) };
}

export function isHeld({ leasedUntil = 0 }: Entry): boolean {
  return leasedUntil > Date.now();
}

/** Its process may have ended before it sent one, its worker without giving the task back, or the message is lost. */
function needsMessage(entry: Entry): boolean {
  return !isHeld(entry) && (entry.sentAt ?? 0) < Date.now() - lostMs;
}

function expiry(delaySeconds = 0): number {
  return Math.ceil(Date.now() / 1000 + delaySeconds) + keptSeconds;
}

/** How the table knows a key: an analysis by its job, any other task by a number that no job has. */
export function itemId(key: string): number | bigint {
  if (/^-\d+$/.test(key)) return BigInt(key);
  const [, jobId] = /^run_analysis:(\d+)$/.exec(key) ?? [];
  if (jobId !== undefined) return Number(jobId);
  // As many bits as the 38 digits of a number there hold.
  return -BigInt(`0x1${createHash('sha256').update(key).digest('hex').slice(0, 30)}`);
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
