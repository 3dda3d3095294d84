import type { App } from 'aws-cdk-lib';
import { Alarms } from '../constructs/alarms.ts';
import { costBudget } from '../constructs/cost-budget.ts';
import { watchData } from '../constructs/watch-data.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface OperationsProps extends BaseProps {
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly service: ServiceStack;
}

/** What tells people how the service is: alarms and budget. docs/runbook.md says what to do about them. */
export class OperationsStack extends BaseStack {
  constructor(app: App, id: string, props: OperationsProps) {
    super(app, id, props);
    const { data, service, settings, storage } = props;
    const alarms = new Alarms(this, 'Alarms', { email: settings.alarmEmail });
    watchData(alarms, data, storage);
    service.queues.watchedBy(alarms);
    if (settings.budgetUsd !== undefined && settings.alarmEmail !== undefined) {
      costBudget(this, 'Budget', { monthlyUsd: settings.budgetUsd, email: settings.alarmEmail });
    }
  }
}
