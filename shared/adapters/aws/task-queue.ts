import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { Lease, ReceiveOptions, TaskQueue } from '@svc/application/ports/task-queue.ts';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { randomBytes } from 'node:crypto';
import type { DynamoTaskLedger } from './task-ledger.ts';

/** Bounds of SQS. */
const [longestPollSeconds, longestHiddenSeconds] = [20, 43_200];

/**
 * SQS hands tasks out, at least once and in any order; the ledger decides which delivery counts. A message
 * stays hidden for as long as its worker's lease lives, and comes back when that lapses.
 */
export class SqsTaskQueue implements TaskQueue, TaskLedger {
  readonly #client: SQSClient;
  readonly #ledger: DynamoTaskLedger;
  readonly #queueUrl: string;
  readonly #leaseSeconds: number;
  /** How SQS knows the messages of this process's leases, by their tokens. */
  readonly #receipts = new Map<string, string>();

  constructor(client: SQSClient, ledger: DynamoTaskLedger, options: { queueUrl: string; leaseSeconds: number }) {
    this.#client = client;
    this.#ledger = ledger;
    this.#queueUrl = options.queueUrl;
    this.#leaseSeconds = options.leaseSeconds;
  }

  async enqueue(jobId: number): Promise<void> {
    const isNew = await this.#ledger.add(jobId);
    // Sent again for one that is there and nobody's: its process may have ended before it sent anything.
    if (!isNew && (await this.#ledger.state(jobId))?.held === true) return;
    try {
      await this.#client.send(new SendMessageCommand({ QueueUrl: this.#queueUrl, MessageBody: String(jobId) }));
    } catch (error) {
      if (isNew) await this.#ledger.remove(jobId);
      throw error;
    }
  }

  async receive({ worker, waitMs, signal }: ReceiveOptions): Promise<Lease | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const seconds = Math.ceil(Math.max(0, deadline - performance.now()) / 1000);
      const message = await this.#poll(Math.min(seconds, longestPollSeconds), signal);
      const lease = message && (await this.#claim(message, worker));
      // A message that is nobody's task any more says nothing of those behind it.
      if (lease || signal?.aborted || (!message && performance.now() >= deadline)) return lease ?? null;
    }
  }

  async extend({ jobId, token }: Lease): Promise<boolean> {
    if (!(await this.#ledger.extend(jobId, token))) return this.#forget(token);
    await this.#hide(token, this.#leaseSeconds);
    return true;
  }

  async acknowledge({ jobId, token }: Lease): Promise<void> {
    const receipt = this.#receipts.get(token);
    if ((await this.#ledger.finish(jobId, token)) && receipt !== undefined) await this.#delete(receipt);
    this.#forget(token);
  }

  async release(
    { jobId, token }: Lease,
    { delaySeconds, countAttempt }: { delaySeconds: number; countAttempt: boolean },
  ): Promise<void> {
    if (await this.#ledger.release(jobId, token, countAttempt)) await this.#hide(token, Math.ceil(delaySeconds));
    this.#forget(token);
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

  async #poll(seconds: number, signal: AbortSignal | undefined): Promise<Message | null> {
    const poll = new ReceiveMessageCommand({
      QueueUrl: this.#queueUrl,
      MaxNumberOfMessages: 1,
      WaitTimeSeconds: seconds,
      VisibilityTimeout: this.#leaseSeconds,
    });
    try {
      const { Messages } = await this.#client.send(poll, signal ? { abortSignal: signal } : {});
      return Messages?.[0] ?? null;
    } catch (error) {
      if (signal?.aborted) return null;
      throw error;
    }
  }

  async #claim({ Body, ReceiptHandle }: Message, worker: string): Promise<Lease | null> {
    const jobId = Number(Body);
    // Left where it is: it ends in the dead-letter queue.
    if (!Number.isSafeInteger(jobId)) throw new Error(`a message of the queue names no job: ${Body?.slice(0, 100)}`);
    const receipt = ReceiptHandle!;
    const token = randomBytes(16).toString('hex');
    const claim = await this.#ledger.claim(jobId, token, worker);
    switch (claim.kind) {
      case 'taken':
        this.#receipts.set(token, receipt);
        return { jobId, attempt: claim.attempt, token };
      case 'held':
        // A second delivery: it comes again when the lease of the first would lapse.
        await this.#hideReceipt(receipt, Math.ceil(claim.forMs / 1000));
        return null;
      case 'gone':
        await this.#delete(receipt);
        return null;
    }
  }

  async #hide(token: string, seconds: number): Promise<void> {
    const receipt = this.#receipts.get(token);
    if (receipt !== undefined) await this.#hideReceipt(receipt, seconds);
  }

  async #hideReceipt(receipt: string, seconds: number): Promise<void> {
    await this.#client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#queueUrl,
        ReceiptHandle: receipt,
        VisibilityTimeout: Math.min(seconds, longestHiddenSeconds),
      }),
    );
  }

  async #delete(receipt: string): Promise<void> {
    await this.#client.send(new DeleteMessageCommand({ QueueUrl: this.#queueUrl, ReceiptHandle: receipt }));
  }

  #forget(token: string): false {
    this.#receipts.delete(token);
    return false;
  }
}
