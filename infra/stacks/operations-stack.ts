import type { App } from 'aws-cdk-lib';
import { Alarms } from '../constructs/alarms.ts';
import { AnalysisMetrics } from '../constructs/analysis-metrics.ts';
import { costBudget } from '../constructs/cost-budget.ts';
import { Overview } from '../constructs/overview.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { apiMetrics, watchApi } from '../constructs/watch-api.ts';
import { dataMetrics, watchData } from '../constructs/watch-data.ts';
import { watchFunctions } from '../constructs/watch-functions.ts';
import { watchGateway } from '../constructs/watch-gateway.ts';
import { WorkerFailures } from '../constructs/worker-failures.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface OperationsProps extends BaseProps {
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly service: ServiceStack;
}

/** What tells people how the service is: dashboard, alarms and budget. docs/runbook.md says what to do about them. */
export class OperationsStack extends BaseStack {
  constructor(app: App, id: string, props: OperationsProps) {
    super(app, id, props);
    const { data, service, settings, storage } = props;
    const alarms = new Alarms(this, 'Alarms', { email: settings.alarmEmail });
    watchData(alarms, data, storage);
    const api = service.api.http;
    watchApi(alarms, api);
    if (service.gateway) watchGateway(alarms, service.gateway);
    service.queues.watchedBy(alarms);
    service.webhooks.queue.watchedBy(alarms);
    service.maintenance.watchedBy(alarms);
    const functions = service.node.findAll().filter((construct) => construct instanceof ServiceFunction);
    watchFunctions(alarms, functions);
    const { cluster } = service.workers;
    new WorkerFailures(this, 'WorkerFailures', { cluster, logRetention: settings.logRetentionDays }).watchedBy(alarms);
    const analyses = new AnalysisMetrics(this, 'Analyses', {
      namespace: settings.name,
      logs: [service.fastLane.lambda.logGroup, service.workers.log],
    });
    analyses.watchedBy(alarms);
    new Overview(this, 'Overview', {
      api: apiMetrics(api),
      functions,
      queues: service.queues,
      analyses,
      data: dataMetrics(data, storage),
    });
    if (settings.budgetUsd !== undefined && settings.alarmEmail !== undefined) {
      costBudget(this, 'Budget', { monthlyUsd: settings.budgetUsd, email: settings.alarmEmail });
    }
  }
}
