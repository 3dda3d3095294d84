import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Something that commands of the runbook name, under exactly this name. */
export function output(scope: Construct, name: string, value: string): void {
  new CfnOutput(scope, `${name}Output`, { value }).overrideLogicalId(name);
}
