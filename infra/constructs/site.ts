import { RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { privateHeaders } from '@svc/contracts';
import { Construct } from 'constructs';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { acknowledge, managedPolicyFindings } from './acknowledge.ts';

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
const shell = 'index.html';
/** CloudFront compresses by itself; maps are for developers. */
const leftOut = ['**/*.br', '**/*.gz', '**/*.map'];

/**
 * The single-page application in a bucket that only CloudFront reads. Its assets are named by their content
 * and stay when they are replaced, for pages that are open; the shell that names them comes last.
 */
export class Site extends Construct {
  readonly bucket: Bucket;
  /** Files outside of assets/, as paths from `/`. */
  readonly files: readonly string[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Nothing is lost with it: the next deployment brings it back.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const files = names.map(({ name }) => name).filter((name) => !/\.(br|gz|map)$/.test(name));
    this.files = files.map((name) => `/${name}`).sort();
    const assets = this.#deploy('Assets', {
      exclude: ['*'],
      include: ['assets/*'],
      cacheControl: 'public, max-age=31536000, immutable',
    });
    const others = this.#deploy('Files', { exclude: ['assets/*', shell], cacheControl: 'public, max-age=3600' });
    const cacheControl = privateHeaders['cache-control'];
    const page = this.#deploy('Shell', { exclude: ['*'], include: [shell], cacheControl });
    page.node.addDependency(assets, others);
    this.#acknowledge(page);
  }

  #acknowledge(deployment: BucketDeployment): void {
    acknowledge(this.bucket, ['S1'], 'CloudFront alone reads it, and has a log line of every request.');
    // All deployments of the stack have one function, which the CDK makes.
    const reason =
      'The CDK’s own function runs while the site is deployed, from the CDK’s bucket of assets to this one.';
    const copier = deployment.handlerRole.node.scope!;
    const actions = ['GetBucket', 'GetObject', 'List', 'Abort', 'DeleteObject'];
    const { account, partition, region } = Stack.of(this);
    const bucket = `cdk-hnb659fds-assets-${named(account, 'AccountId')}-${named(region, 'Region')}`;
    const assets = `arn:${named(partition, 'Partition')}:s3:::${bucket}`;
    const own = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    acknowledge(copier, ['L1', ...managedPolicyFindings('service-role/AWSLambdaBasicExecutionRole')], reason);
    acknowledge(
      copier,
      actions.map((action) => `IAM5[Action::s3:${action}*]`),
      reason,
    );
    acknowledge(copier, [`IAM5[Resource::${assets}/*]`, `IAM5[Resource::<${own}.Arn>/*]`], reason);
  }

  #deploy(id: string, which: { exclude: string[]; include?: string[]; cacheControl: string }): BucketDeployment {
    return new BucketDeployment(this, id, {
      ...which,
      sources: [Source.asset(folder, { exclude: leftOut })],
      destinationBucket: this.bucket,
      prune: false,
      cacheControl: [CacheControl.fromString(which.cacheControl)],
      memoryLimit: 512,
    });
  }
}

/** As cdk-nag writes what is known only when the stack is deployed. */
function named(value: string, name: string): string {
  return Token.isUnresolved(value) ? `<AWS::${name}>` : value;
}
