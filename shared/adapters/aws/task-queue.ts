import type { Delivery, TaskDeliveries } from '@svc/application/ports/task-deliveries.ts';
import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { Lane, Lease, ReceiveOptions, ReleaseOptions, TaskQueue } from '@svc/application/ports/task-queue.ts';
import type { JobErrorCode } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import type { Delivered, SqsLanes } from './sqs-lanes.ts';
import type { DynamoTaskLedger } from './task-ledger.ts';

/** Who takes from several queues looks at one for so long while others may get something. */
const turnSeconds = 1;

/**
 * SQS hands tasks out, at least once and in any order; the ledger decides which delivery counts. A message
 * stays hidden for as long as its worker's lease lives, and comes back when that lapses.
 */
export class SqsTaskQueue implements TaskQueue, TaskLedger, TaskDeliveries {
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

  async enqueue(jobId: number, lane: Lane, submitter?: string): Promise<Lane | null> {
    const needed = await this.#ledger.add(jobId, lane);
    if (!needed) return null;
    try {
      await this.#send(jobId, needed.lane, submitter);
    } catch (error) {
      if (needed.isNew) await this.#ledger.remove(jobId);
      throw error;
    }
    return needed.lane;
  }

  async receive({ worker, waitMs, signal, lane }: ReceiveOptions): Promise<Lease | null> {
    const deadline = performance.now() + waitMs;
    const wanted = this.#received.filter((url) => lane === undefined || url === this.#queues.urlOf(lane));
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

  async accept({ body, receipt, submitter }: Delivery, worker: string): Promise<Lease | 'held' | 'gone'> {
    const delivered = { queueUrl: this.#queues.urlOf('fast'), receipt, submitter };
    const lease = await this.#claim(body, delivered, worker);
    // It was hidden for as long as the queue says, which is longer than a lease.
    if (typeof lease === 'object') await this.#queues.hide(delivered, this.#leaseSeconds);
    return lease;
  }

  /** Each lane has its queue, so that no task of one waits for the other. */
  isWaitedFor(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async extend({ jobId, token }: Lease): Promise<boolean> {
    if (!(await this.#ledger.extend(jobId, token))) {
      this.#messages.delete(token);
      return false;
    }
    await this.#hide(token, this.#leaseSeconds);
    return true;
  }

  async acknowledge({ jobId, token }: Lease): Promise<void> {
    const message = this.#messages.get(token);
    if ((await this.#ledger.finish(jobId, token)) && message) await this.#queues.delete(message);
    this.#messages.delete(token);
  }

  async release(lease: Lease, { delaySeconds, countAttempt, lane }: ReleaseOptions): Promise<void> {
    const { jobId, token } = lease;
    const message = this.#messages.get(token);
    if (lane !== undefined && message?.queueUrl !== this.#queues.urlOf(lane)) {
      await this.#move(lease, lane, countAttempt);
    } else if (await this.#ledger.release(jobId, token, countAttempt)) {
      await this.#hide(token, delaySeconds);
    }
    this.#messages.delete(token);
  }

  state(jobId: number): Promise<{ attempts: number; held: boolean } | null> {
    return this.#ledger.state(jobId);
  }

  /** Never asked for where there can be other workers. */
  dropLeases(): Promise<void> {
    return Promise.reject(new Error('the leases of other workers are not ended'));
  }

  /** The message goes when somebody receives it. */
  remove(jobId: number): Promise<void> {
    return this.#ledger.remove(jobId);
  }

  async bury(jobId: number, reason: JobErrorCode): Promise<void> {
    await this.#ledger.remove(jobId);
    await this.#queues.sendDead(jobId, reason);
  }

  depth(lane: Lane): Promise<number> {
    return this.#queues.depth(lane);
  }

  async #claim(body: string | undefined, message: Delivered, worker: string): Promise<Lease | 'held' | 'gone'> {
    const jobId = Number(body);
    // Left where it is: it ends in the dead-letter queue.
    if (!Number.isSafeInteger(jobId) || jobId < 1) {
      throw new Error(`a message of the queue names no job: ${body?.slice(0, 100)}`);
    }
    const token = randomBytes(16).toString('hex');
    const claim = await this.#ledger.claim(jobId, token, worker, this.#queues.lanesOf(message.queueUrl));
    switch (claim.kind) {
      case 'taken':
        this.#messages.set(token, message);
        return { jobId, attempt: claim.attempt, token };
      case 'held':
        // A second delivery: it comes again when the lease of the first would lapse.
        await this.#queues.hide(message, claim.forMs / 1000);
        return 'held';
      case 'elsewhere':
        if (claim.needsMessage) await this.#send(jobId, claim.lane, message.submitter);
        await this.#queues.delete(message);
        return 'gone';
      case 'gone':
        await this.#queues.delete(message);
        return 'gone';
    }
  }

  /** The old message goes last: should the process end before, it leads to the new lane. */
  async #move({ jobId, token }: Lease, lane: Lane, countAttempt: boolean): Promise<void> {
    const message = this.#messages.get(token);
    if (!(await this.#ledger.move(jobId, token, lane, countAttempt))) return;
    await this.#send(jobId, lane, message?.submitter);
    if (message) await this.#queues.delete(message);
  }

  async #send(jobId: number, lane: Lane, submitter: string | undefined): Promise<void> {
    await this.#queues.send(jobId, lane, submitter);
    // Without the mark the sweep sends another one, which does no harm.
    await this.#ledger.markSent(jobId).catch(() => undefined);
  }

  async #hide(token: string, seconds: number): Promise<void> {
    const message = this.#messages.get(token);
    if (message) await this.#queues.hide(message, seconds);
  }
}
