import { Duration, Stack, type CfnElement } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Schedule, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke, SqsSendMessage } from 'aws-cdk-lib/aws-scheduler-targets';
import { schedules } from '@svc/config';
import { taskKinds, type PeriodicKind } from '@svc/contracts/tasks.ts';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import type { StorageStack } from '../stacks/storage-stack.ts';
import { acknowledge } from './acknowledge.ts';
import type { Alarms } from './alarms.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ServiceEnvironment } from './environment.ts';
import { grantErasing, grantOutputs, grantRules } from './object-grants.ts';
import { longestRun, type Queues } from './queues.ts';
import { scheduleExpression } from './schedule-expression.ts';
import { instanceVariables, ServiceFunction } from './service-function.ts';

export interface MaintenanceProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly storage: StorageStack;
  readonly queues: Queues;
  readonly dispatcher: Dispatcher;
  readonly variables: ServiceEnvironment;
  readonly logRetention: RetentionDays;
}

/**
 * The periodic tasks of config/schedules.ts. EventBridge Scheduler queues those that may take minutes, and invokes the
 * function by itself for those that are short, so that these wait for nothing.
 */
export class Maintenance extends Construct {
  readonly lambda: ServiceFunction;

  constructor(scope: Construct, id: string, props: MaintenanceProps) {
    super(scope, id);
    const { network, data, storage, queues, dispatcher } = props;
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'queue-maintenance',
      vpc: network.vpc,
      securityGroups: [data.clients],
      environment: {
        ...props.variables,
        WORKER_DISPATCHER: dispatcher.lambda.functionName,
        ...instanceVariables,
      },
      // Compiling all rules of a pack takes a gigabyte. It runs often, most times for nothing, and is paid by it.
      memoryMiB: 2048,
      timeout: longestRun,
      // Runs that come one a minute would all be kept, and nobody waits for them.
      traced: false,
      logRetention: props.logRetention,
    });
    data.grantUse(this.lambda);
    grantErasing(this, this.lambda, storage.uploads);
    grantRules(this, this.lambda, storage.packs);
    grantOutputs(this, this.lambda, storage.outputs);
    queues.grantQueueing(this.lambda);
    dispatcher.grantWake(this.lambda);
    const { queue, deadLetters } = queues.maintenance;
    // Two is the least that SQS knows.
    this.lambda.addEventSource(
      new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 2 }),
    );
    // One of its own, as the role that targets share would have its rights, too.
    const role = new Role(this, 'TickRole', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    for (const { key, cron, label } of schedules) {
      const kind = key as PeriodicKind;
      const input = ScheduleTargetInput.fromObject({ kind });
      // A later one says the same.
      const maxEventAge = Duration.hours(1);
      new Schedule(this, key, {
        description: label,
        schedule: scheduleExpression(cron),
        target:
          taskKinds[kind].lane === 'prompt'
            ? new LambdaInvoke(this.lambda, { input, role, retryAttempts: 2, maxEventAge })
            : new SqsSendMessage(queue, { input, deadLetterQueue: deadLetters, maxEventAge }),
      });
    }
    const own = Stack.of(this).getLogicalId(this.lambda.node.defaultChild as CfnElement);
    acknowledge(role, [`IAM5[Resource::<${own}.Arn>:*]`], 'Any version of this one function.');
  }

  watchedBy(alarms: Alarms): void {
    alarms.watch('MaintenanceSilent', {
      heading: 'Periodic tasks do not run',
      metric: this.lambda.metricInvocations({ period: Duration.minutes(15) }),
      below: 1,
      periods: { wrong: 2, of: 2 },
      silenceIsWrong: true,
    });
  }
}
