import type { App } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BaseStack, type BaseProps } from './base-stack.ts';

/** The private network: what computes reaches S3 and DynamoDB directly and the rest of AWS through NAT. */
export class NetworkStack extends BaseStack {
  readonly vpc: Vpc;

  constructor(app: App, id: string, props: BaseProps) {
    super(app, id, props);
    const { sizes, logRetentionDays, zones } = props.settings;
    this.vpc = new Vpc(this, 'Vpc', {
      maxAzs: zones?.length ?? sizes.availabilityZones,
      natGateways: sizes.natGateways,
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24, mapPublicIpOnLaunch: false },
        { name: 'private', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
      ],
      gatewayEndpoints: {
        s3: { service: GatewayVpcEndpointAwsService.S3 },
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
      // What nobody put into a group of its own can talk to nobody.
      restrictDefaultSecurityGroup: true,
    });
    const flows = new LogGroup(this, 'Flows', { retention: logRetentionDays });
    this.vpc.addFlowLog('FlowLog', {
      destination: FlowLogDestination.toCloudWatchLogs(flows),
      trafficType: FlowLogTrafficType.ALL,
    });
  }
}
