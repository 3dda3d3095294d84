import { BootstraplessSynthesizer, ReferenceStrength, Stack, type App } from 'aws-cdk-lib';
import type { CfnDistribution } from 'aws-cdk-lib/aws-cloudfront';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Edge } from '../constructs/edge.ts';
import { EdgeLogs } from '../constructs/edge-logs.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';

export interface EdgeLogsStackProps extends BaseProps {
  readonly edge: Edge;
  readonly deliveryName: string;
}

/** The delivery of CloudFront's logs to an installation in another region; without assets, as the firewall's stack. */
export class EdgeLogsStack extends BaseStack {
  constructor(app: App, id: string, props: EdgeLogsStackProps) {
    super(app, id, { ...props, synthesizer: new BootstraplessSynthesizer() });
    const { distribution, logs } = props.edge;
    // Read when this one is deployed: exports do not leave their region. The casts are safe: L2 constructs of their kind.
    const { attrId } = distribution.node.defaultChild as CfnDistribution;
    const { attrArn } = logs.node.defaultChild as CfnBucket;
    const [distributionId, bucketArn] = [attrId, attrArn].map((value) =>
      Stack.consumeReference(value, ReferenceStrength.WEAK),
    );
    new EdgeLogs(this, 'EdgeLogs', {
      name: props.deliveryName,
      distributionArn: `arn:${this.partition}:cloudfront::${this.account}:distribution/${distributionId}`,
      bucketArn: bucketArn!,
    });
  }
}
