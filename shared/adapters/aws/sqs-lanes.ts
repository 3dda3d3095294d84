import type { Lane } from '@svc/application/ports/task-queue.ts';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** Bounds of SQS. */
const [longestPollSeconds, longestHiddenSeconds] = [20, 43_200];
/** What counts as not done, of a queue's attributes. */
const depths = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** URLs of SQS queues. */
export interface LaneUrls {
  readonly fast: string;
  /** Null where the fast one takes everything. */
  readonly heavy: string | null;
  /** Is told of what was given up; null for nobody. */
  readonly dead: string | null;
}

/** A message as one of the queues has delivered it. */
export interface Delivered {
  readonly queueUrl: string;
  readonly receipt: string;
  /** The submitter, by whom turns are taken; undefined where the message names none. */
  readonly submitter?: string | undefined;
}

/** The SQS queues of the lanes: what is sent to them, received, hidden and deleted. */
export class SqsLanes {
  readonly #client: SQSClient;
  readonly #urls: LaneUrls;

  constructor(client: SQSClient, urls: LaneUrls) {
    this.#client = client;
    this.#urls = urls;
  }

  urlOf(lane: Lane): string {
    return lane === 'heavy' ? (this.#urls.heavy ?? this.#urls.fast) : this.#urls.fast;
  }

  /** Lanes whose messages a queue has. */
  lanesOf(queueUrl: string): Lane[] {
    return (['fast', 'heavy'] as const).filter((lane) => this.urlOf(lane) === queueUrl);
  }

  /** SQS is fair between message groups: one submitter with many messages does not keep the others waiting. */
  async send(jobId: number, lane: Lane, submitter: string | undefined): Promise<void> {
    const group = submitter ? { MessageGroupId: submitter } : {};
    await this.#client.send(
      new SendMessageCommand({ QueueUrl: this.urlOf(lane), MessageBody: String(jobId), ...group }),
    );
  }

  /** Leaves word of a job that was given up. */
  async sendDead(jobId: number, reason: string): Promise<void> {
    if (this.#urls.dead === null) return;
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#urls.dead,
        MessageBody: String(jobId),
        MessageAttributes: { reason: { DataType: 'String', StringValue: reason } },
      }),
    );
  }

  /** Waits for a message, which then stays hidden for `hiddenSeconds`. */
  async poll(
    queueUrl: string,
    wait: { seconds: number; hiddenSeconds: number; signal: AbortSignal | undefined },
  ): Promise<Message | null> {
    const poll = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 1,
      MessageSystemAttributeNames: ['MessageGroupId'],
      WaitTimeSeconds: Math.min(wait.seconds, longestPollSeconds),
      VisibilityTimeout: wait.hiddenSeconds,
    });
    try {
      const { Messages } = await this.#client.send(poll, wait.signal ? { abortSignal: wait.signal } : {});
      return Messages?.[0] ?? null;
    } catch (error) {
      if (wait.signal?.aborted) return null;
      throw error;
    }
  }

  async hide({ queueUrl, receipt }: Delivered, seconds: number): Promise<void> {
    await this.#client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receipt,
        VisibilityTimeout: Math.min(Math.ceil(seconds), longestHiddenSeconds),
      }),
    );
  }

  async delete({ queueUrl, receipt }: Delivered): Promise<void> {
    await this.#client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
  }

  async depth(lane: Lane): Promise<number> {
    const { Attributes } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: this.urlOf(lane), AttributeNames: [...depths] }),
    );
    return depths.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
  }
}
