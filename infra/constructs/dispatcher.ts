import { Duration } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, Role, ServicePrincipal, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from '../stacks/data-stack.ts';
import type { NetworkStack } from '../stacks/network-stack.ts';
import { acknowledge } from './acknowledge.ts';
import type { Queues } from './queues.ts';
import { ServiceFunction } from './service-function.ts';
import { grantTasks, logicalIdOf } from './task-grants.ts';
import type { Workers } from './workers.ts';

export interface DispatcherProps {
  readonly network: NetworkStack;
  readonly data: DataStack;
  readonly workers: Workers;
  readonly queues: Queues;
  readonly maxTasks: number;
  readonly logRetention: RetentionDays;
}

/** Starts workers for what waits in the heavy lane: whenever something was queued there, and each minute. */
export class Dispatcher extends Construct {
  readonly lambda: ServiceFunction;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    super(scope, id);
    const { data, network, workers, queues } = props;
    const { subnetIds } = network.vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS });
    // Outside the network: it asks SQS and ECS alone, and reaches neither database nor key-value store.
    this.lambda = new ServiceFunction(this, 'Function', {
      bundle: 'dispatch-workers',
      environment: {
        ...queues.variables,
        TASKQ_WORKERS: String(workers.jobsAtOnce),
        WORKER_CLUSTER: workers.cluster.clusterArn,
        WORKER_TASK_DEFINITION: workers.task.taskDefinitionArn,
        WORKER_SUBNETS: subnetIds.join(','),
        WORKER_SECURITY_GROUPS: data.clients.securityGroupId,
        WORKER_MAX_TASKS: String(props.maxTasks),
      },
      memoryMiB: 512,
      timeout: Duration.seconds(50),
      logRetention: props.logRetention,
    });
    // One of its own, as the role that targets share would have its rights, too.
    const role = new Role(this, 'ScheduleRole', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    new Schedule(this, 'EachMinute', {
      description: 'Workers for what waits in the heavy lane',
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      // The next minute comes soon enough.
      target: new LambdaInvoke(this.lambda, { role, retryAttempts: 0, maxEventAge: Duration.minutes(1) }),
    });
    acknowledge(role, [`IAM5[Resource::<${logicalIdOf(this.lambda)}.Arn>:*]`], 'Any version of this one function.');
    this.lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['sqs:GetQueueAttributes'], resources: [queues.heavy.queue.queueArn] }),
    );
    grantTasks(this, this.lambda, workers);
  }

  /** Lets it have workers started. */
  grantWake(grantee: IGrantable): void {
    const { functionArn } = this.lambda;
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
  }
}
