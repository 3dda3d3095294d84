import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectOwnership,
  StorageClass,
  type CorsRule,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

export interface ObjectBucketProps {
  /** Where requests to it are logged, under its own id; null for nowhere. */
  readonly accessLogs: IBucket | null;
  /**
   * Days that the service keeps objects, 0 for ever. It removes them itself: it counts from the last analysis of a
   * file, and a site setting may say otherwise.
   */
  readonly retentionDays: number;
  /** Days that a deleted object can be brought back. */
  readonly recoveryDays: number;
  /** Whether objects are moved, after 90 days, to storage at a sixth of the price that costs by the read. */
  readonly cools: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly cors?: readonly CorsRule[];
  /** Whether answers lie in it, too. @default false */
  readonly answers?: boolean;
}

const coolsAfterDays = 90;
/** Of answers that were too large for Lambda, in the bucket of the uploads; their links are good for five minutes. */
const answerPrefix = 'answers/';
export const answerKeys = `${answerPrefix}*`;

/** A private bucket: TLS only, encrypted, and what is deleted stays recoverable for a while. */
export class ObjectBucket extends Bucket {
  constructor(scope: Construct, id: string, props: ObjectBucketProps) {
    const { accessLogs, retentionDays, recoveryDays } = props;
    // Less than another 90 days there would cost as much as these.
    const cools = props.cools && (retentionDays === 0 || retentionDays >= 2 * coolsAfterDays);
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: props.removalPolicy,
      ...(accessLogs && { serverAccessLogsBucket: accessLogs, serverAccessLogsPrefix: `${id.toLowerCase()}/` }),
      ...(props.cors && { cors: [...props.cors] }),
      lifecycleRules: [
        {
          id: 'keep',
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(recoveryDays),
          ...(cools && {
            transitions: [
              { storageClass: StorageClass.GLACIER_INSTANT_RETRIEVAL, transitionAfter: Duration.days(coolsAfterDays) },
            ],
          }),
        },
        // Of rules that overlap S3 follows the shorter one, and it counts days from the midnight that follows.
        ...(props.answers
          ? [
              {
                id: 'answers',
                prefix: answerPrefix,
                expiration: Duration.days(1),
                noncurrentVersionExpiration: Duration.days(1),
              },
            ]
          : []),
        // Of deleted objects whose versions have gone.
        { id: 'tidy', expiredObjectDeleteMarker: true },
      ],
    });
  }
}
