import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ServiceEnvironment } from './environment.ts';
import { grantObjects, grantOutputs, grantRules } from './object-grants.ts';
import { fastLaneRun, type Queues } from './queues.ts';
import { instanceVariables, ServiceFunction } from './service-function.ts';
import type { AiRuns } from './ai-runs.ts';
import type { Webhooks } from './webhooks.ts';

export interface FastLaneProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly queues: Queues;
  readonly dispatcher: Dispatcher;
  readonly webhooks: Webhooks;
  readonly aiRuns: AiRuns;
  readonly variables: ServiceEnvironment;
  readonly logRetention: RetentionDays;
  /** Analyses at the same time; each takes a connection to the database. */
  readonly concurrency: number;
}

/** Analyses small files, and does the short work that somebody waits for, the moment it is queued (architecture 3.3; decision 29 has the figures). */
export class FastLane extends Construct {
  readonly lambda: ServiceFunction;

  constructor(scope: Construct, id: string, props: FastLaneProps) {
    super(scope, id);
    const { network, data, storage, queues, dispatcher, webhooks, aiRuns } = props;
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'queue-analyze',
      vpc: network.vpc,
      securityGroups: [data.clients],
      environment: {
        ...props.variables,
        ...webhooks.variables,
        ...aiRuns.variables,
        WORKER_DISPATCHER: dispatcher.lambda.functionName,
        // The 512 MiB of its folder hold a copy of the largest file, and 64 to spare.
        ...instanceVariables,
        ANALYSIS_MEMORY_MB: '2048',
      },
      // 1.7 cores: one thread reads while another collects garbage. A new account allows no more.
      memoryMiB: 3008,
      timeout: fastLaneRun,
      logRetention: props.logRetention,
    });
    data.grantUse(this.lambda);
    grantObjects(this, this.lambda, { bucket: storage.uploads, actions: ['GetObject'] });
    grantRules(this, this.lambda, storage.packs);
    grantOutputs(this, this.lambda, storage.outputs);
    queues.grantQueueing(this.lambda);
    dispatcher.grantWake(this.lambda);
    webhooks.grantSending(this.lambda);
    aiRuns.grantHandingOver(this.lambda);
    this.lambda.addEventSource(
      new SqsEventSource(queues.fast.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        // Kept here and not by the function: what exceeds it stays in the queue, and is not received in vain.
        maxConcurrency: props.concurrency,
      }),
    );
  }
}
