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

/** The queues of the service: those of the lanes that tasks wait in (decision 65). */
export class Queues extends Construct {
  /** Analyses that a function does at once, and the short work that somebody waits for. */
  readonly fast: WorkQueue;
  /** Analyses for workers that are started when there are any. */
  readonly heavy: WorkQueue;
  /** Sweeps: what may take minutes, and nobody waits for. */
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
    this.maintenance = new WorkQueue(this, 'Maintenance', {
      visibilityTimeout: longestRun,
      maxReceiveCount: 10,
      late: { after: Duration.hours(1), heading: 'Background work is late' },
    });
  }

  get all(): readonly WorkQueue[] {
    return [this.fast, this.heavy, this.maintenance];
  }

  /** Where whoever queues tasks, or takes them, finds the lanes. */
  get variables(): ServiceEnvironment {
    return {
      TASKQ_SQS_URL: this.fast.queue.queueUrl,
      TASKQ_SQS_HEAVY_URL: this.heavy.queue.queueUrl,
      TASKQ_SQS_SWEEP_URL: this.maintenance.queue.queueUrl,
      TASKQ_SQS_DEAD_URL: this.fast.deadLetters.queueUrl,
      TASKQ_LEDGER_TABLE: this.#ledger.tableName,
      FAST_LANE_MAX_MB: '64',
      // Time for people to come and repair what keeps tasks waiting.
      TASKQ_QUEUE_EXPIRY: '21600',
    };
  }

  /** Lets it queue tasks, and lease those that it has received. */
  grantQueueing(grantee: IGrantable): void {
    const queues = [this.fast.queue, this.heavy.queue, this.maintenance.queue, this.fast.deadLetters];
    for (const queue of queues) queue.grantSendMessages(grantee);
    const actions = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action}`);
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [this.#ledger.tableArn] }));
  }

  /** Lets it see what waits. */
  grantListing(grantee: IGrantable): void {
    const listing = new PolicyStatement({ actions: ['dynamodb:Scan'], resources: [this.#ledger.tableArn] });
    grantee.grantPrincipal.addToPrincipalPolicy(listing);
  }

  watchedBy(alarms: Alarms): void {
    for (const queue of this.all) queue.watchedBy(alarms);
  }
}
