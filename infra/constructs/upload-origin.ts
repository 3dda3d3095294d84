import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { acknowledge, managedPolicyFindings } from './acknowledge.ts';
import { uploadRule } from './upload-rule.ts';

export interface UploadOriginProps {
  readonly bucket: IBucket;
  /** `https://host` of the site. */
  readonly origin: string;
}

/**
 * Lets browsers send uploads from a site whose host is known only after the bucket's own stack: that of
 * CloudFront, which stands before the API, which stands before the bucket.
 */
export class UploadOrigin extends Construct {
  constructor(scope: Construct, id: string, { bucket, origin }: UploadOriginProps) {
    super(scope, id);
    const { allowedMethods, allowedOrigins, allowedHeaders, maxAge } = uploadRule(origin);
    const rule = {
      AllowedMethods: allowedMethods,
      AllowedOrigins: allowedOrigins,
      AllowedHeaders: allowedHeaders,
      MaxAgeSeconds: maxAge,
    };
    new AwsCustomResource(this, 'Rule', {
      onUpdate: {
        service: 'S3',
        action: 'putBucketCors',
        parameters: { Bucket: bucket.bucketName, CORSConfiguration: { CORSRules: [rule] } },
        physicalResourceId: PhysicalResourceId.of('upload-origin'),
      },
      policy: AwsCustomResourcePolicy.fromStatements([
        new PolicyStatement({ actions: ['s3:PutBucketCORS'], resources: [bucket.bucketArn] }),
      ]),
      installLatestAwsSdk: false,
    });
    this.#acknowledge();
  }

  /** The function that all such resources of a stack share is the CDK's own, and has an id of its choice. */
  #acknowledge(): void {
    const shared = Stack.of(this).node.children.filter(({ node }) => node.id.startsWith('AWS679f53fac002430cb0da5b79'));
    for (const lambda of shared) {
      const policy = managedPolicyFindings('service-role/AWSLambdaBasicExecutionRole');
      acknowledge(lambda, policy, 'It only writes its log, for which this policy is made.');
      acknowledge(lambda, ['L1'], 'The CDK picks the runtime of its own function with each of its versions.');
    }
  }
}
