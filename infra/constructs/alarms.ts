import { Alarm, ComparisonOperator, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export interface WatchProps {
  /** Heading of docs/runbook.md that says what to do. */
  readonly heading: string;
  readonly metric: IMetric;
  /** The alarm is raised by values above it. */
  readonly above?: number;
  /** Instead: the alarm is raised by values below it. */
  readonly below?: number;
  /** How many of the last periods of the metric must be wrong, and of how many. @default 1 of 1 */
  readonly periods?: { readonly wrong: number; readonly of: number };
  /** Whether silence is a reason for alarm. @default false */
  readonly silenceIsWrong?: boolean;
}

/** The alarms of an installation and the topic that tells them. What an alarm means is in docs/runbook.md. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];
  readonly #action: SnsAction;

  constructor(scope: Construct, id: string, props: { readonly email: string | undefined }) {
    super(scope, id);
    // CloudWatch may not use the key that AWS itself keeps for SNS.
    const key = new Key(this, 'Key', { description: 'Alarms on their way', enableKeyRotation: true });
    key.grantEncryptDecrypt(new ServicePrincipal('cloudwatch.amazonaws.com'));
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    this.topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com'));
    if (props.email !== undefined) this.topic.addSubscription(new EmailSubscription(props.email));
    this.#action = new SnsAction(this.topic);
  }

  /** Raises an alarm when the metric is wrong, and tells when it is well again. */
  watch(id: string, props: WatchProps): void {
    const { heading, metric, above, below, periods = { wrong: 1, of: 1 }, silenceIsWrong = false } = props;
    const threshold = above ?? below;
    if (threshold === undefined) throw new Error(`${id}: an alarm needs a threshold`);
    const alarm = new Alarm(this, id, {
      alarmDescription: `${heading}. See docs/runbook.md#${anchorOf(heading)}`,
      metric,
      threshold,
      comparisonOperator:
        above === undefined ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: periods.wrong,
      evaluationPeriods: periods.of,
      treatMissingData: silenceIsWrong ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
    this.all.push(alarm);
  }
}

/** How Markdown pages address a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}
