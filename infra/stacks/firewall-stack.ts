import { BootstraplessSynthesizer, type App } from 'aws-cdk-lib';
import { webAcl } from '../constructs/web-acl.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';

/** Where firewalls of CloudFront must be, whatever region the rest is in. */
export const firewallRegion = 'us-east-1';

/** The firewall of an installation in another region; without assets, so that nobody bootstraps its region for it. */
export class FirewallStack extends BaseStack {
  readonly arn: string;

  constructor(app: App, id: string, props: BaseProps) {
    super(app, id, { ...props, synthesizer: new BootstraplessSynthesizer() });
    const { name, waf } = props.settings;
    this.arn = webAcl(this, 'Firewall', { name: `${name}-edge`, managed: waf === 'managed' }).attrArn;
  }
}
