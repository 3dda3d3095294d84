import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Cluster } from 'aws-cdk-lib/aws-ecs';
import { Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, ResourcePolicy, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { output } from './output.ts';

/** Tasks of a cluster that did not start, or ended with an error. ECS itself forgets them after an hour. */
export class WorkerFailures extends Construct {
  readonly #rule: Rule;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly cluster: Cluster; readonly logRetention: RetentionDays },
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    // EventBridge writes to groups of this prefix only.
    const logGroupName = `/aws/events/${stack.stackName}-failed-workers`;
    const log = new LogGroup(this, 'Log', {
      logGroupName,
      retention: props.logRetention,
      // A stack that is deployed again could not have a name that is taken.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new ResourcePolicy(this, 'Write', {
      policyStatements: [
        new PolicyStatement({
          principals: [
            new ServicePrincipal('events.amazonaws.com'),
            new ServicePrincipal('delivery.logs.amazonaws.com'),
          ],
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [log.logGroupArn],
        }),
      ],
    });
    const logGroupArn = stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.#rule = new Rule(this, 'Rule', {
      description: 'Workers that did not start, or ended with an error',
      eventPattern: {
        source: ['aws.ecs'],
        detailType: ['ECS Task State Change'],
        detail: {
          clusterArn: [props.cluster.clusterArn],
          lastStatus: ['STOPPED'],
          $or: [{ stopCode: ['TaskFailedToStart'] }, { containers: { exitCode: [{ 'anything-but': [0] }] } }],
        },
      },
      // Without the `:*` that ends the ARN of the group elsewhere.
      targets: [{ bind: () => ({ arn: logGroupArn }) }],
    });
    output(this, 'FailedWorkersLog', log.logGroupName);
  }

  watchedBy(alarms: Alarms): void {
    alarms.watch('WorkersFail', {
      heading: 'Workers fail',
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'MatchedEvents',
        dimensionsMap: { RuleName: this.#rule.ruleName },
        statistic: Stats.SUM,
        period: Duration.minutes(15),
      }),
      above: 2,
    });
  }
}
