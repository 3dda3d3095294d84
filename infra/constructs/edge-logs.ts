import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** Where CloudFront's logs are delivered from, wherever they go: CloudFront Developer Guide, "Standard logging (v2)". */
export const edgeLogsRegion = 'us-east-1';

export interface EdgeLogsProps {
  /** Of the source and the destination, which are known by it in their region. */
  readonly name: string;
  readonly distributionArn: string;
  readonly bucketArn: string;
}

/** A line for each request, of what time, whence, for what, and with which answer; never a cookie. */
const fields = [
  'date',
  'time',
  'x-edge-location',
  'sc-bytes',
  'c-ip',
  'cs-method',
  'cs(Host)',
  'cs-uri-stem',
  'sc-status',
  'cs(Referer)',
  'cs(User-Agent)',
  'cs-uri-query',
  'x-edge-result-type',
  'x-edge-request-id',
  'x-host-header',
  'cs-protocol',
  'cs-bytes',
  'time-taken',
  'ssl-protocol',
  'ssl-cipher',
  'x-edge-response-result-type',
  'cs-protocol-version',
  'time-to-first-byte',
  'x-edge-detailed-result-type',
];

/** Standard logs of CloudFront (v2), as files in a bucket of any region; to be made in us-east-1. */
export class EdgeLogs extends Construct {
  constructor(scope: Construct, id: string, { name, distributionArn, bucketArn }: EdgeLogsProps) {
    super(scope, id);
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      destinationResourceArn: bucketArn,
      outputFormat: 'w3c',
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: fields,
    });
    delivery.addResourceDependency(source);
  }
}

/** Lets the delivery of this name write to the bucket: CloudWatch Logs User Guide, "Logs sent to Amazon S3". */
export function allowDelivery(bucket: IBucket, name: string): void {
  const { account, partition } = Stack.of(bucket);
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects(`AWSLogs/${account}/CloudFront/*`)],
      conditions: {
        StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', 'aws:SourceAccount': account },
        ArnLike: {
          // Its source or its destination, which bear the same name.
          'aws:SourceArn': `arn:${partition}:logs:${edgeLogsRegion}:${account}:delivery-*:${name}`,
        },
      },
    }),
  );
}
