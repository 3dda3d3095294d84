import type { Delivery, TaskDeliveries } from '@svc/application/ports/task-deliveries.ts';
import type { LaneDepth, QueueDepths } from '@svc/application/ports/queue-depths.ts';
import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type {
  EnqueueOptions,
  Lane,
  Lease,
  ReceiveOptions,
  ReleaseOptions,
  TaskQueue,
} from '@svc/application/ports/task-queue.ts';
import { keyOf, policyOf, readTask, type Task, type UnknownTask } from '@svc/contracts/tasks.ts';
import { randomBytes } from 'node:crypto';
import type { Delivered, SqsLanes } from './sqs-lanes.ts';
import type { DynamoTaskLedger } from './task-ledger.ts';
import { bodyOf, readBody } from './task-message.ts';

/** How often a message of a kind that only a later version knows is looked at again. */
const unknownSeconds = 900;
/** Who takes from several queues looks at one for so long while others may get something. */
const turnSeconds = 1;

/**
 * SQS hands tasks out, at least once and in any order; the ledger decides which delivery counts. A message
 * stays hidden for as long as its worker's lease lives, and comes back when that lapses.
 */
export class SqsTaskQueue implements TaskQueue, TaskLedger, TaskDeliveries, QueueDepths {
  readonly #queues: SqsLanes;
  readonly #ledger: DynamoTaskLedger;
  readonly #leaseSeconds: number;
  /** Queues that this process takes from, and whose turn it is. */
  readonly #received: readonly string[];
  #turn = 0;
  /** How SQS knows the messages of this process's leases, by their tokens. */
  readonly #messages = new Map<string, Delivered>();

  constructor(queues: SqsLanes, ledger: DynamoTaskLedger, options: { leaseSeconds: number; lanes: readonly Lane[] }) {
    this.#queues = queues;
    this.#ledger = ledger;
    this.#leaseSeconds = options.leaseSeconds;
    this.#received = [...new Set(options.lanes.map((lane) => queues.urlOf(lane)))];
  }

  async enqueue(
    task: Task,
    { lane = policyOf(task)?.lane ?? 'prompt', key = keyOf(task), submitter, delaySeconds = 0 }: EnqueueOptions = {},
  ): Promise<Lane | null> {
    const needed = await this.#ledger.add(key, { task, lane, delaySeconds });
    if (!needed) return null;
    try {
      await this.#send({ key, task }, needed.lane, { submitter, delaySeconds });
    } catch (error) {
      if (needed.isNew) await this.#ledger.remove(key);
      throw error;
    }
    return needed.lane;
  }

  async receive({ worker, waitMs, signal, lanes }: ReceiveOptions): Promise<Lease | null> {
    const deadline = performance.now() + waitMs;
    const urls = lanes?.map((lane) => this.#queues.urlOf(lane));
    const wanted = this.#received.filter((url) => urls?.includes(url) ?? true);
    const received = wanted.length > 0 ? wanted : this.#received;
    for (let empty = 0; ;) {
      const queueUrl = received[this.#turn % received.length]!;
      const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
      const seconds = received.length === 1 ? left : empty < received.length ? 0 : Math.min(left, turnSeconds);
      const message = await this.#queues.poll(queueUrl, { seconds, hiddenSeconds: this.#leaseSeconds, signal });
      if (message) {
        const submitter = message.Attributes?.MessageGroupId;
        const lease = await this.#claim(message.Body, { queueUrl, receipt: message.ReceiptHandle!, submitter }, worker);
        if (typeof lease === 'object') return lease;
        // A message that is nobody's task any more says nothing of those behind it.
        empty = 0;
      } else {
        empty += 1;
      }
      this.#turn += 1;
      if (signal?.aborted || (empty >= received.length && performance.now() >= deadline)) return null;
    }
  }

  async accept({ lane, body, receipt, submitter }: Delivery, worker: string): Promise<Lease | 'held' | 'gone'> {
    const delivered = { queueUrl: this.#queues.urlOf(lane), receipt, submitter };
    const lease = await this.#claim(body, delivered, worker);
    // It was hidden for as long as the queue says, which is longer than a lease.
    if (typeof lease === 'object') await this.#queues.hide(delivered, this.#ledger.leaseSecondsOf(lease.task));
    return lease;
  }

  async begin(task: Task, worker: string): Promise<Lease | null> {
    const [key, { lane }] = [keyOf(task), policyOf(task)!];
    if (!(await this.#ledger.add(key, { task, lane }))) return null;
    const token = newToken();
    const claim = await this.#ledger.claim({ key, task }, { lease: token, worker, lanes: [lane] });
    return claim.kind === 'taken' ? { task, key, attempt: claim.attempt, token } : null;
  }

  /** Each lane has its queue, so that no task of one waits for the other. */
  isWaitedFor(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async extend(lease: Lease): Promise<boolean> {
    if (!(await this.#ledger.extend(lease))) {
      this.#messages.delete(lease.token);
      return false;
    }
    const message = this.#messages.get(lease.token);
    if (message) await this.#queues.hide(message, this.#ledger.leaseSecondsOf(lease.task));
    return true;
  }

  async acknowledge({ key, token }: Lease): Promise<void> {
    const message = this.#messages.get(token);
    if ((await this.#ledger.finish(key, token)) && message) await this.#queues.delete(message);
    this.#messages.delete(token);
  }

  async release(lease: Lease, { delaySeconds, countAttempt, lane }: ReleaseOptions): Promise<void> {
    const { key, token } = lease;
    const message = this.#messages.get(token);
    if (lane !== undefined && message?.queueUrl !== this.#queues.urlOf(lane)) {
      await this.#move(lease, lane, countAttempt);
    } else if (await this.#ledger.release(key, token, { countAttempt, delaySeconds })) {
      // SQS counts what it hands out again, and puts aside what comes too often, whoever is to blame.
      const isWaiting = message && countAttempt && lease.task.kind !== 'unknown';
      if (isWaiting) await this.#queues.hide(message, delaySeconds);
      else await this.#sendAnew(lease, message, delaySeconds);
    }
    this.#messages.delete(token);
  }

  state(key: string): Promise<{ attempts: number; held: boolean } | null> {
    return this.#ledger.state(key);
  }

  /** Never asked for where there can be other workers. */
  dropLeases(): Promise<void> {
    return Promise.reject(new Error('the leases of other workers are not ended'));
  }

  /** The message goes when somebody receives it. */
  async remove(key: string): Promise<void> {
    await this.#ledger.remove(key);
  }

  async bury(key: string, reason: string): Promise<void> {
    const stored = await this.#ledger.remove(key);
    const [, jobId] = /^run_analysis:(\d+)$/.exec(key) ?? [];
    await this.#queues.sendDead(jobId ?? bodyOf(key, readTask(stored)), reason);
  }

  depth(lane: Lane): Promise<number> {
    return this.#queues.depth(lane);
  }

  /** Messages that are hidden are worked on, or wait for their time. */
  lanes(): Promise<readonly LaneDepth[]> {
    return this.#queues.depths();
  }

  async #claim(body: string | undefined, message: Delivered, worker: string): Promise<Lease | 'held' | 'gone'> {
    const { task, key, isBare } = readBody(body);
    // It may have been sent here by a schedule that only a later version knows.
    if (isBare && task.kind === 'unknown') {
      await this.#queues.hide(message, unknownSeconds);
      return 'held';
    }
    if (isBare) await this.#ledger.add(key, { task, lane: policyOf(task)!.lane });
    const token = newToken();
    const lanes = this.#queues.lanesOf(message.queueUrl);
    const claim = await this.#ledger.claim({ key, task }, { lease: token, worker, lanes });
    switch (claim.kind) {
      case 'taken':
        this.#messages.set(token, message);
        return { task, key, attempt: claim.attempt, token };
      case 'held':
        // What is under way need not be queued by its schedule.
        if (isBare) {
          await this.#queues.delete(message);
          return 'gone';
        }
        // A second delivery: it comes again when the lease of the first would lapse.
        await this.#queues.hide(message, claim.forMs / 1000);
        return 'held';
      case 'early':
        // SQS delays no message for longer than a quarter of an hour, and counts how often one was received.
        await this.#send({ key, task }, lanes[0]!, {
          submitter: message.submitter,
          delaySeconds: claim.forMs / 1000,
        });
        await this.#queues.delete(message);
        return 'gone';
      case 'elsewhere':
        if (claim.needsMessage) await this.#send({ key, task }, claim.lane, { submitter: message.submitter });
        await this.#queues.delete(message);
        return 'gone';
      case 'gone':
        await this.#queues.delete(message);
        return 'gone';
    }
  }

  /** The old message goes last: should the process end before, it leads to the new lane. */
  async #move(lease: Lease, lane: Lane, countAttempt: boolean): Promise<void> {
    const message = this.#messages.get(lease.token);
    if (!(await this.#ledger.move(lease.key, lease.token, lane, countAttempt))) return;
    await this.#send(lease, lane, { submitter: message?.submitter });
    if (message) await this.#queues.delete(message);
  }

  /** For a task that was begun without a message, or whose one would be received too often before its time. */
  async #sendAnew(lease: Lease, message: Delivered | undefined, delaySeconds: number): Promise<void> {
    const lane = message ? this.#queues.lanesOf(message.queueUrl)[0]! : (policyOf(lease.task)?.lane ?? 'prompt');
    await this.#send(lease, lane, { submitter: message?.submitter, delaySeconds });
    if (message) await this.#queues.delete(message);
  }

  async #send(
    { key, task }: { key: string; task: Task | UnknownTask },
    lane: Lane,
    how: { submitter?: string | undefined; delaySeconds?: number },
  ): Promise<void> {
    await this.#queues.send(bodyOf(key, task), lane, how);
    // Without the mark the sweep sends another one, which does no harm.
    await this.#ledger.markSent(key, how.delaySeconds).catch(() => undefined);
  }
}

function newToken(): string {
  return randomBytes(16).toString('hex');
}
