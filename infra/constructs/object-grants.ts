import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { acknowledge, objectsFinding } from './acknowledge.ts';

export interface ObjectGrant {
  readonly bucket: Bucket;
  readonly actions: readonly (
    | 'GetObject'
    | 'PutObject'
    | 'DeleteObject'
    | 'DeleteObjectVersion'
    | 'AbortMultipartUpload'
  )[];
  /** Of which keys. @default '*' */
  readonly keys?: string;
}

/** Rights on the objects of a bucket of another stack; `scope` holds the policy. */
export function grantObjects(
  scope: IConstruct,
  grantee: IGrantable,
  { bucket, actions, keys = '*' }: ObjectGrant,
): void {
  // Without the right to list, what is missing looks forbidden.
  allow(grantee, ['s3:ListBucket'], bucket.bucketArn);
  allow(
    grantee,
    actions.map((action) => `s3:${action}`),
    bucket.arnForObjects(keys),
  );
  acknowledge(scope, [objectsFinding(bucket, keys)], 'Objects have random names; the rights end with this bucket.');
}

/** The right to delete uploads with their versions, for the sweep of those that were never submitted. */
export function grantErasing(scope: IConstruct, grantee: IGrantable, bucket: Bucket): void {
  grantObjects(scope, grantee, { bucket, actions: ['GetObject', 'DeleteObject', 'DeleteObjectVersion'] });
  allow(grantee, ['s3:ListBucketVersions'], bucket.bucketArn);
}

/** What an analysis does with the rules that it needs: it reads them, and keeps what it has compiled. */
export function grantRules(scope: IConstruct, grantee: IGrantable, bucket: Bucket): void {
  const actions = ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'] as const;
  grantObjects(scope, grantee, { bucket, actions, keys: 'packs/*' });
}

/** Raw outputs of analyses: whoever makes some also takes back what no task came to refer to. */
export function grantOutputs(scope: IConstruct, grantee: IGrantable, bucket: Bucket): void {
  const actions = ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'] as const;
  grantObjects(scope, grantee, { bucket, actions, keys: 'outputs/*' });
}

function allow(grantee: IGrantable, actions: string[], resource: string): void {
  grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource] }));
}
