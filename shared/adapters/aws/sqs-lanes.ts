import type { LaneDepth } from '@svc/application/ports/queue-depths.ts';
import { lanes, type Lane } from '@svc/contracts/tasks.ts';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  MessageNotInflight,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** Bounds of SQS. */
const [longestPollSeconds, longestHiddenSeconds, longestDelaySeconds] = [20, 43_200, 900];
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
  /** Null where the fast one takes everything that is no analysis. */
  readonly sweep: string | null;
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
    const own = lane === 'heavy' || lane === 'sweep' ? this.#urls[lane] : null;
    return own ?? this.#urls.fast;
  }

  /** Lanes whose messages a queue has. */
  lanesOf(queueUrl: string): Lane[] {
    return lanes.filter((lane) => this.urlOf(lane) === queueUrl);
  }

  /** SQS is fair between message groups: one submitter with many messages does not keep the others waiting. */
  async send(body: string, lane: Lane, how: { submitter?: string | undefined; delaySeconds?: number }): Promise<void> {
    const { submitter, delaySeconds = 0 } = how;
    const delay = Math.min(Math.ceil(delaySeconds), longestDelaySeconds);
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.urlOf(lane),
        MessageBody: body,
        ...(submitter && { MessageGroupId: submitter }),
        ...(delay > 0 && { DelaySeconds: delay }),
      }),
    );
  }

  /** Leaves word of a task that was given up. */
  async sendDead(body: string, reason: string): Promise<void> {
    if (this.#urls.dead === null) return;
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#urls.dead,
        MessageBody: body,
        MessageAttributes: { reason: { DataType: 'String', StringValue: reason.slice(0, 1000) || 'unknown' } },
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

  /** Does nothing for a message that has come back meanwhile: whoever receives it next learns how it stands. */
  async hide({ queueUrl, receipt }: Delivered, seconds: number): Promise<void> {
    const VisibilityTimeout = Math.min(Math.ceil(seconds), longestHiddenSeconds);
    const change = { QueueUrl: queueUrl, ReceiptHandle: receipt, VisibilityTimeout };
    try {
      await this.#client.send(new ChangeMessageVisibilityCommand(change));
    } catch (error) {
      if (!(error instanceof MessageNotInflight)) throw error;
    }
  }

  async delete({ queueUrl, receipt }: Delivered): Promise<void> {
    await this.#client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
  }

  async depth(lane: Lane): Promise<number> {
    const { waiting, underWay, delayed } = await this.#depthOf(lane);
    return waiting + underWay + delayed;
  }

  /** Of each queue, under the first of its lanes. */
  depths(): Promise<LaneDepth[]> {
    const own = lanes.filter((lane) => this.lanesOf(this.urlOf(lane))[0] === lane);
    return Promise.all(own.map((lane) => this.#depthOf(lane)));
  }

  async #depthOf(lane: Lane): Promise<LaneDepth> {
    const { Attributes } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: this.urlOf(lane), AttributeNames: [...depths] }),
    );
    const [waiting, underWay, delayed] = depths.map((name) => Number(Attributes?.[name] ?? 0)) as [
      number,
      number,
      number,
    ];
    // SQS tells the age of messages to CloudWatch alone.
    return { lane, waiting, underWay, delayed, oldestSeconds: null };
  }
}
