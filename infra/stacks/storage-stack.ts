import { Duration, RemovalPolicy, type App } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { ServiceEnvironment } from '../constructs/environment.ts';
import { BaseStack, type BaseProps } from './base-stack.ts';

/** The objects: what clients upload, and what analyses leave. */
export class StorageStack extends BaseStack {
  readonly objects: Bucket;

  constructor(app: App, id: string, props: BaseProps) {
    super(app, id, props);
    this.objects = new Bucket(this, 'Objects', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      cors: [{ allowedMethods: [HttpMethods.PUT], allowedOrigins: ['*'], allowedHeaders: ['*'], maxAge: 3600 }],
    });
  }

  get variables(): ServiceEnvironment {
    return { STORAGE_BACKEND: 's3', S3_BUCKET: this.objects.bucketName, S3_REGION: this.region };
  }
}
