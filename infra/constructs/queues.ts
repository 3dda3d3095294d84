import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { ServiceEnvironment } from './environment.ts';
import { WorkQueue } from './work-queue.ts';

/** Longest run of a function that takes messages; Lambda demands that they stay hidden for no less. */
export const longestRun = Duration.minutes(15);
/** Longest analysis in the fast lane; what takes longer goes on in the heavy one. */
export const fastLaneRun = Duration.minutes(5);

/** The queues of the service (architecture 3); what is not of the analysis lanes has few messages, and small ones. */
export class Queues extends Construct {
  /** Analyses that a function does at once. */
  readonly fast: WorkQueue;
  /** Analyses for workers that are started when there are any. */
  readonly heavy: WorkQueue;
  readonly webhooks: WorkQueue;
  readonly ai: WorkQueue;
  readonly maintenance: WorkQueue;

  readonly #ledger: ITable;

  constructor(scope: Construct, id: string, { ledger }: { readonly ledger: ITable }) {
    super(scope, id);
    this.#ledger = ledger;
    // Second deliveries count as received, too: decision 21 has ten as the least for leased tasks.
    this.fast = new WorkQueue(this, 'FastLane', {
      // Counts until the task is leased; from then on its lease does.
      visibilityTimeout: fastLaneRun,
      maxReceiveCount: 10,
      late: { after: Duration.minutes(5), heading: 'Fast lane is late' },
    });
    this.heavy = new WorkQueue(this, 'HeavyLane', {
      // Workers ask for the length of a lease themselves; this is for whoever does not.
      visibilityTimeout: Duration.minutes(1),
      maxReceiveCount: 10,
      late: { after: Duration.minutes(30), heading: 'Heavy lane is late' },
    });
    const background = { after: Duration.hours(1), heading: 'Background work is late' };
    // Attempts of a delivery are counted in the database; these are those that never got so far.
    this.webhooks = new WorkQueue(this, 'Webhooks', {
      visibilityTimeout: longestRun,
      maxReceiveCount: 5,
      late: background,
    });
    // Each attempt may cost money.
    this.ai = new WorkQueue(this, 'Ai', { visibilityTimeout: longestRun, maxReceiveCount: 3, late: background });
    // What fails thrice comes again with its schedule.
    this.maintenance = new WorkQueue(this, 'Maintenance', {
      visibilityTimeout: longestRun,
      maxReceiveCount: 3,
      late: background,
    });
  }

  get all(): readonly WorkQueue[] {
    return [this.fast, this.heavy, this.webhooks, this.ai, this.maintenance];
  }

  /** Where whoever queues analyses, or takes them, finds the lanes. */
  get variables(): ServiceEnvironment {
    return {
      TASKQ_SQS_URL: this.fast.queue.queueUrl,
      TASKQ_SQS_HEAVY_URL: this.heavy.queue.queueUrl,
      TASKQ_SQS_DEAD_URL: this.fast.deadLetters.queueUrl,
      TASKQ_LEDGER_TABLE: this.#ledger.tableName,
      FAST_LANE_MAX_MB: '64',
      // Time for people to come and repair what keeps tasks waiting.
      TASKQ_QUEUE_EXPIRY: '21600',
    };
  }

  /** Lets it queue analyses, and lease those that it has received. */
  grantQueueing(grantee: IGrantable): void {
    for (const queue of [this.fast.queue, this.heavy.queue, this.fast.deadLetters]) queue.grantSendMessages(grantee);
    const actions = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action}`);
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [this.#ledger.tableArn] }));
  }

  /** Leaves out the queues that nothing sends to yet: their alarms would cost money and never fire. */
  watchedBy(alarms: Alarms): void {
    for (const queue of [this.fast, this.heavy, this.maintenance]) queue.watchedBy(alarms);
  }
}
