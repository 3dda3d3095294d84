import { Fn, Stack, type App, type StackProps } from 'aws-cdk-lib';
import type { Settings } from '../settings.ts';

export interface BaseProps extends StackProps {
  readonly settings: Settings;
}

/** A stack that can be synthesised without asking AWS anything. */
export class BaseStack extends Stack {
  readonly settings: Settings;

  constructor(app: App, id: string, props: BaseProps) {
    const { name, size } = props.settings;
    // CloudFormation gives them to all it makes: for the reports of cost, by installation and by part.
    super(app, id, { ...props, tags: { service: name, size, part: id.slice(name.length + 1) } });
    this.settings = props.settings;
  }

  /** The region's first zones, as the deployment itself finds them: looking them up takes an account. */
  override get availabilityZones(): string[] {
    return [0, 1, 2].map((index) => Fn.select(index, Fn.getAzs()));
  }
}
