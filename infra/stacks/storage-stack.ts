import { Duration, RemovalPolicy, Validations, type App } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership, type CorsRule } from 'aws-cdk-lib/aws-s3';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { ObjectBucket } from '../constructs/object-bucket.ts';
import { output } from '../constructs/output.ts';
import { uploadRule } from '../constructs/upload-rule.ts';
import type { Settings } from '../settings.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';

/** What AWS keeps without a server: the objects, and the ledger of tasks. LocalStack has all of it too. */
export class StorageStack extends BaseStack {
  /** What clients submit. */
  readonly uploads: Bucket;
  /** What analyses leave, under outputs/. */
  readonly outputs: Bucket;
  readonly #retentionDays: { readonly outputs: number; readonly uploads: number };
  /** Rule packs, under packs/. */
  readonly packs: Bucket;
  /** Requests to buckets and to what else logs into one; not with LocalStack. */
  readonly accessLogs: Bucket | null;
  readonly ledger: Table;

  constructor(app: App, id: string, props: BaseProps) {
    super(app, id, props);
    const { settings } = props;
    this.#retentionDays = { outputs: settings.outputRetentionDays, uploads: settings.uploadRetentionDays };
    const removalPolicy = settings.localstack ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
    this.accessLogs = settings.localstack ? null : this.#accessLogs(settings);
    const common = { accessLogs: this.accessLogs, recoveryDays: settings.backupRetentionDays, removalPolicy };
    this.uploads = new ObjectBucket(this, 'Uploads', {
      ...common,
      retentionDays: settings.uploadRetentionDays,
      cools: true,
      answers: true,
      cors: signedFrom(settings),
    });
    this.outputs = new ObjectBucket(this, 'Outputs', {
      ...common,
      retentionDays: settings.outputRetentionDays,
      cools: true,
    });
    this.packs = new ObjectBucket(this, 'Packs', { ...common, retentionDays: 0, cools: false });

    this.ledger = new Table(this, 'Ledger', {
      partitionKey: { name: 'jobId', type: AttributeType.NUMBER },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAt',
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !settings.localstack },
      deletionProtection: !settings.localstack,
      removalPolicy,
    });
    output(this, 'UploadsBucket', this.uploads.bucketName);
    output(this, 'LedgerName', this.ledger.tableName);
  }

  get variables(): ServiceEnvironment {
    return {
      STORAGE_BACKEND: 's3',
      S3_BUCKET: this.uploads.bucketName,
      S3_OUTPUTS_BUCKET: this.outputs.bucketName,
      S3_PACKS_BUCKET: this.packs.bucketName,
      S3_REGION: this.region,
      JOB_OUTPUT_RETENTION_DAYS: String(this.#retentionDays.outputs),
      UPLOAD_RETENTION_DAYS: String(this.#retentionDays.uploads),
    };
  }

  #accessLogs({ logRetentionDays }: Settings): Bucket {
    const bucket = new Bucket(this, 'AccessLogs', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { expiration: Duration.days(logRetentionDays), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds the access logs; logging the access to them would log itself for ever.',
    });
    return bucket;
  }
}

/**
 * Who may send uploads and fetch answers from a browser by a signed request. Without a domain that is known only once
 * CloudFront exists, which needs this stack: then UploadOrigin says so afterwards.
 */
function signedFrom({ domain, localstack }: Settings): CorsRule[] | undefined {
  if (domain === undefined && !localstack) return undefined;
  return [uploadRule(localstack ? '*' : `https://${domain}`)];
}
