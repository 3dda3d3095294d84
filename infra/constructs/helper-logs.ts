import { CfnResource, Stack, type IAspect } from 'aws-cdk-lib';
import { CfnLogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IConstruct } from 'constructs';

/**
 * Gives what the CDK's own functions log an end: groups that it makes keep lines for two years, and where it makes none
 * Lambda makes one that keeps them for ever (Lambda Developer Guide, "Configuring CloudWatch log groups").
 */
export class HelperLogs implements IAspect {
  readonly #retention: RetentionDays;

  constructor(retention: RetentionDays) {
    this.#retention = retention;
  }

  visit(node: IConstruct): void {
    if (node instanceof CfnLogGroup) node.retentionInDays = this.#retention;
    // Providers of custom resources are functions without a class of their own.
    const isProvider = node instanceof CfnResource && node.constructor === CfnResource;
    if (!isProvider || node.cfnResourceType !== 'AWS::Lambda::Function') return;
    const name = `${node.node.scopes.at(-2)?.node.id ?? ''}Log`;
    const group = new CfnLogGroup(Stack.of(node), name, { retentionInDays: this.#retention });
    node.addPropertyOverride('LoggingConfig', { LogGroup: group.ref });
  }
}
