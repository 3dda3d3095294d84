import { Stack, type CfnElement } from 'aws-cdk-lib';
import type { ICluster, TaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

export interface TaskGrant {
  readonly cluster: ICluster;
  readonly task: TaskDefinition;
  /** Whether it may also see how they end, and start earlier revisions, as a rollback does. @default false */
  readonly isOneTime?: boolean;
}

/** Lets it start tasks of this definition in the cluster, and see those that are there; `scope` holds the policy. */
export function grantTasks(
  scope: IConstruct,
  { grantPrincipal }: IGrantable,
  { cluster, task, isOneTime = false }: TaskGrant,
): void {
  const inCluster = { ArnEquals: { 'ecs:cluster': cluster.clusterArn } };
  const tasks = Stack.of(scope).formatArn({
    service: 'ecs',
    resource: 'task',
    resourceName: `${cluster.clusterName}/*`,
  });
  const definitions = Stack.of(scope).formatArn({
    service: 'ecs',
    resource: 'task-definition',
    resourceName: `${task.family}:*`,
  });
  const statements = [
    // Of all tasks in a cluster: there is no narrower resource than its condition.
    { actions: ['ecs:ListTasks'], resources: ['*'], conditions: inCluster },
    ...(isOneTime ? [{ actions: ['ecs:DescribeTasks'], resources: [tasks] }] : []),
    {
      actions: ['ecs:RunTask'],
      resources: [isOneTime ? definitions : task.taskDefinitionArn],
      conditions: inCluster,
    },
    {
      actions: ['ecs:TagResource'],
      resources: [tasks],
      conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
    },
    {
      actions: ['iam:PassRole'],
      resources: [task.taskRole.roleArn, task.obtainExecutionRole().roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
    },
  ];
  for (const statement of statements) grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement));
  const stack = Stack.of(scope);
  const [partition, region, account] = [stack.partition, stack.region, stack.account].map((value) =>
    nameIn(stack, value),
  );
  acknowledge(
    scope,
    [`IAM5[Resource::arn:${partition}:ecs:${region}:${account}:task/<${logicalIdOf(cluster)}>/*]`],
    'Tasks have their names from ECS when they are made, which is when they are tagged.',
  );
  if (!isOneTime) return;
  acknowledge(
    scope,
    [`IAM5[Resource::arn:${partition}:ecs:${region}:${account}:task-definition/${task.family}:*]`],
    'A rollback runs the revision of before of this one definition.',
  );
}

export function logicalIdOf(construct: IConstruct): string {
  return Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement);
}

/** How cdk-nag writes a value of a stack that may be known only when it is deployed. */
export function nameIn(stack: Stack, value: string): string {
  const resolved = stack.resolve(value) as string | { readonly Ref: string };
  return typeof resolved === 'string' ? resolved : `<${resolved.Ref}>`;
}
