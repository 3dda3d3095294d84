import type { App } from 'aws-cdk-lib';
import { AiRuns, publicProviders } from '../constructs/ai-runs.ts';
import { AreaFunctions } from '../constructs/area-functions.ts';
import { Dispatcher } from '../constructs/dispatcher.ts';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { FastLane } from '../constructs/fast-lane.ts';
import { GatewayService } from '../constructs/gateway-service.ts';
import { ServiceApi } from '../constructs/http-api.ts';
import { Maintenance } from '../constructs/maintenance.ts';
import { Migrations } from '../constructs/migrations.ts';
import { Queues } from '../constructs/queues.ts';
import { publicReceivers, Webhooks } from '../constructs/webhooks.ts';
import { Workers } from '../constructs/workers.ts';
import { originCertificateOf } from '../settings.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { EnginesStack } from './engines-stack.ts';
import type { NetworkStack } from './network-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceProps extends BaseProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  /** Null where no engine is deployed. */
  readonly engines: EnginesStack | null;
}

/** What runs: queues, functions, the HTTP API, workers. Can be destroyed and deployed again without loss. */
export class ServiceStack extends BaseStack {
  /** What all functions are told. */
  readonly variables: ServiceEnvironment;
  readonly queues: Queues;
  readonly migrations: Migrations;
  readonly workers: Workers;
  readonly dispatcher: Dispatcher;
  readonly webhooks: Webhooks;
  readonly fastLane: FastLane;
  readonly maintenance: Maintenance;
  readonly aiRuns: AiRuns;
  readonly api: ServiceApi;
  /** Where the setting says so. */
  readonly gateway: GatewayService | null;

  constructor(app: App, id: string, props: ServiceProps) {
    super(app, id, props);
    const { data, settings, storage } = props;
    const { fastLane, worker } = settings.sizes;
    this.queues = new Queues(this, 'Queues', storage);
    const shared: ServiceEnvironment = {
      ...publicProviders,
      ...settings.environment,
      ...storage.variables,
      ...this.queues.variables,
      AUTO_MIGRATE: 'false',
      // A release that is taken back leaves its schema, to which migrations only add.
      SERVE_LATER_SCHEMA: 'true',
      // Everybody comes by CloudFront, which takes no other requests.
      ENABLE_HSTS: 'true',
      ...publicReceivers,
      ...(settings.domain && { SITE_URL: `https://${settings.domain}` }),
    };
    this.variables = { ...data.variables, ...shared };
    const common = {
      ...props,
      queues: this.queues,
      variables: this.variables,
      logRetention: settings.logRetentionDays,
    };
    this.migrations = new Migrations(this, 'Migrations', common);
    this.workers = new Workers(this, 'Workers', {
      ...common,
      variables: { ...data.containerVariables, ...shared },
      size: worker,
      spot: settings.workerSpot,
    });
    const { workers } = this;
    this.dispatcher = new Dispatcher(this, 'Dispatcher', { ...common, workers, maxTasks: worker.maxTasks });
    const { dispatcher } = this;
    this.webhooks = new Webhooks(this, 'Outgoing', {
      answers: this.queues.fast.queue,
      settings: settings.environment,
      logRetention: settings.logRetentionDays,
    });
    const { webhooks } = this;
    const { concurrency } = fastLane;
    this.aiRuns = new AiRuns(this, 'AiRuns', common);
    const { aiRuns } = this;
    this.fastLane = new FastLane(this, 'FastLane', { ...common, dispatcher, webhooks, aiRuns, concurrency });
    this.maintenance = new Maintenance(this, 'Maintenance', { ...common, dispatcher });
    this.api = this.#serve(props);
    const minTasks = settings.size === 'ha' ? 2 : 1;
    this.gateway = settings.gateway
      ? new GatewayService(this, 'Gateway', {
          ...common,
          workers,
          dispatcher,
          minTasks,
          certificateArn: originCertificateOf(settings),
        })
      : null;
    if (this.gateway) this.migrations.before(this.gateway);
    this.migrations.before(workers, dispatcher, this.fastLane, this.maintenance, this.aiRuns);
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
      outputs: storage.outputs,
      packs: storage.packs,
      buckets: [storage.uploads, storage.outputs, storage.packs],
      lanes: this.queues.all.map(({ queue }) => queue),
      deadLetters: this.queues.fast.deadLetters,
      ledger: storage.ledger,
      dispatcher: this.dispatcher.lambda,
    });
    this.migrations.before(areas);
    return new ServiceApi(this, 'Api', { functions: areas.byArea, logRetention });
  }
}
