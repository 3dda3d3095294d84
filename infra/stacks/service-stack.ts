import type { App } from 'aws-cdk-lib';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { Queues } from '../constructs/queues.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { NetworkStack } from './network-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceProps extends BaseProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
}

/** What runs: queues, functions, the HTTP API, workers. Can be destroyed and deployed again without loss. */
export class ServiceStack extends BaseStack {
  /** What all functions and containers are told. */
  readonly variables: ServiceEnvironment;
  readonly queues: Queues;

  constructor(app: App, id: string, props: ServiceProps) {
    super(app, id, props);
    const { data, storage } = props;
    this.queues = new Queues(this, 'Queues');
    this.variables = {
      ...data.variables,
      ...storage.variables,
      TASKQ_SQS_URL: this.queues.fast.queue.queueUrl,
      // Time for people to come and repair what keeps tasks waiting.
      TASKQ_QUEUE_EXPIRY: '21600',
      AUTO_MIGRATE: 'false',
    };
  }
}
