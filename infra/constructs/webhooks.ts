import { Duration } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceEnvironment } from './environment.ts';
import { ServiceFunction } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

export interface WebhooksProps {
  /** Where word of what came of each request goes. */
  readonly answers: IQueue;
  /** What the operator has set. */
  readonly settings: ServiceEnvironment;
  readonly logRetention: RetentionDays;
}

/**
 * Sends to receivers of webhooks, which are hosts that users name: a function without a network of ours, a secret or
 * the database, which gets requests that others have made and signed (decision 103).
 */
export class Webhooks extends Construct {
  readonly queue: WorkQueue;
  readonly lambda: ServiceFunction;

  constructor(scope: Construct, id: string, { answers, settings, logRetention }: WebhooksProps) {
    super(scope, id);
    const seconds = Number(settings.WEBHOOK_TIMEOUT_SECONDS ?? 5);
    const timeout = Duration.seconds(seconds + 30);
    // What has waited for three minutes is not sent any more, and its delivery begins another attempt.
    this.queue = new WorkQueue(this, 'Webhooks', { visibilityTimeout: timeout, maxReceiveCount: 3 });
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'queue-webhooks',
      environment: {
        WEBHOOK_TIMEOUT_SECONDS: String(seconds),
        ...publicReceivers,
        WEBHOOK_ANSWERS_SQS_URL: answers.queueUrl,
      },
      memoryMiB: 256,
      timeout,
      logRetention,
    });
    answers.grantSendMessages(this.lambda);
    // It waits far more than it computes.
    this.lambda.addEventSource(
      new SqsEventSource(this.queue.queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 10 }),
    );
  }

  /** Where whoever makes requests leaves them. */
  get variables(): ServiceEnvironment {
    return { WEBHOOK_SQS_URL: this.queue.queue.queueUrl };
  }

  grantSending(grantee: IGrantable): void {
    this.queue.queue.grantSendMessages(grantee);
  }
}

/** From there no private network can be reached, and nothing of the machine that the function runs on should be. */
export const publicReceivers = { WEBHOOK_REQUIRE_PUBLIC_HOST: 'true' } as const satisfies ServiceEnvironment;
