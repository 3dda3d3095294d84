import { Aspects, Fn, Stack, type App, type StackProps } from 'aws-cdk-lib';
import { HelperLogs } from '../constructs/helper-logs.ts';
import type { Settings } from '../settings.ts';

export interface BaseProps extends StackProps {
  readonly settings: Settings;
}

/** A stack that can be synthesised without asking AWS anything. */
export class BaseStack extends Stack {
  readonly settings: Settings;

  constructor(app: App, id: string, props: BaseProps) {
    const { name } = props.settings;
    // CloudFormation gives them to all it makes: for the reports of cost, by installation and by part. Neither ever
    // changes, since CloudFront refuses with 409 to tag the VPC origin of a distribution anew.
    super(app, id, { ...props, tags: { service: name, part: id.slice(name.length + 1) } });
    this.settings = props.settings;
    Aspects.of(this).add(new HelperLogs(props.settings.logRetentionDays));
  }

  /**
   * Those of the setting, or the region's first as the deployment itself finds them: looking them up takes an account.
   * Where there are fewer, CloudFormation says so (`Fn::Select cannot select nonexistent value`).
   */
  override get availabilityZones(): string[] {
    if (this.settings.zones !== undefined) return this.settings.zones;
    return [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs()));
  }
}
