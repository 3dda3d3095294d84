import { Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';

/** Tells cdk-nag why findings of its AwsSolutions pack, by their ids without the pack's name, are as they should be. */
export function acknowledge(construct: IConstruct, ids: readonly string[], reason: string): void {
  for (const id of ids) Validations.of(construct).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** How cdk-nag names rights to objects of a bucket that belongs to another stack. */
export function objectsFinding(bucket: IBucket, keys: string): string {
  const owner = Stack.of(bucket);
  const exported = owner.resolve(owner.exportValue(bucket.bucketArn)) as { readonly 'Fn::ImportValue': string };
  return `IAM5[Resource::${exported['Fn::ImportValue']}/${keys}]`;
}

/** How cdk-nag names a managed policy of AWS: without its partition while the region is not known. */
export function managedPolicyFindings(...names: string[]): string[] {
  const arns = names.flatMap((name) =>
    ['<AWS::Partition>', 'aws'].map((part) => `arn:${part}:iam::aws:policy/${name}`),
  );
  return arns.map((arn) => `IAM4[Policy::${arn}]`);
}
