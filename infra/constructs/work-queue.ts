import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { output } from './output.ts';

export interface WorkQueueProps {
  /** How long a received message stays hidden unless its consumer says otherwise. */
  readonly visibilityTimeout: Duration;
  /** How often a message is received before it is put aside. */
  readonly maxReceiveCount: number;
  /** Age of the oldest message from which on somebody should look, and the heading that says how. @default nobody need */
  readonly late?: { readonly after: Duration; readonly heading: string };
}

/** A queue whose messages are encrypted, come by TLS only, and are put aside when nobody can handle them. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #late: WorkQueueProps['late'];

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.#late = props.late;
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...common, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: props.visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
    });
    output(this, `${id}QueueUrl`, this.queue.queueUrl);
    output(this, `${id}DeadLettersUrl`, this.deadLetters.queueUrl);
    output(this, `${id}DeadLettersArn`, this.deadLetters.queueArn);
  }

  /** Messages that wait for a consumer. */
  metricWaiting(): IMetric {
    return this.queue.metricApproximateNumberOfMessagesVisible({ label: this.node.id, period: Duration.minutes(1) });
  }

  /** Seconds that the oldest message has been waiting. */
  metricAge(): IMetric {
    return this.queue.metricApproximateAgeOfOldestMessage({ label: this.node.id, period: Duration.minutes(1) });
  }

  metricDeadLetters(): IMetric {
    return this.deadLetters.metricApproximateNumberOfMessagesVisible({
      label: this.node.id,
      period: Duration.minutes(5),
    });
  }

  watchedBy(alarms: Alarms): void {
    const { id } = this.node;
    if (this.#late) {
      alarms.watch(`${id}Late`, {
        heading: this.#late.heading,
        metric: this.metricAge(),
        above: this.#late.after.toSeconds(),
        periods: { wrong: 3, of: 5 },
      });
    }
    alarms.watch(`${id}DeadLetters`, { heading: 'Dead letters', metric: this.metricDeadLetters(), above: 0 });
  }
}
