import type { App } from 'aws-cdk-lib';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { AreaFunctions } from '../constructs/area-functions.ts';
import { ServiceApi } from '../constructs/http-api.ts';
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
  readonly api: ServiceApi;

  constructor(app: App, id: string, props: ServiceProps) {
    super(app, id, props);
    const { data, settings, storage } = props;
    this.queues = new Queues(this, 'Queues');
    this.variables = {
      ...data.variables,
      ...storage.variables,
      TASKQ_SQS_URL: this.queues.fast.queue.queueUrl,
      // Time for people to come and repair what keeps tasks waiting.
      TASKQ_QUEUE_EXPIRY: '21600',
      AUTO_MIGRATE: 'false',
      // Everybody comes by CloudFront, which takes no other requests.
      ENABLE_HSTS: 'true',
      ...(settings.domain && { SITE_URL: `https://${settings.domain}` }),
    };
    this.api = this.#serve(props);
  }

  /** The functions that answer requests, and the HTTP API in front of them. */
  #serve({ data, network, settings, storage }: ServiceProps): ServiceApi {
    const logRetention = settings.logRetentionDays;
    const areas = new AreaFunctions(this, 'Areas', {
      vpc: network.vpc,
      securityGroups: [data.clients],
      logRetention,
      variables: { ...this.variables, ...data.variablesWith(data.edgeKey) },
      grantData: (grantee) => data.grantUse(grantee, data.edgeKey),
      uploads: storage.uploads,
      buckets: [storage.uploads, storage.outputs, storage.packs],
      lanes: [this.queues.fast.queue, this.queues.heavy.queue],
      ledger: storage.ledger,
    });
    return new ServiceApi(this, 'Api', { functions: areas.byArea, logRetention });
  }
}
