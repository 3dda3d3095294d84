import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct, type IConstruct } from 'constructs';

/** Tells cdk-nag why findings of its AwsSolutions pack, by their ids without the pack's name, are as they should be. */
export function acknowledge(construct: IConstruct, ids: readonly string[], reason: string): void {
  for (const id of ids) Validations.of(construct).acknowledge({ id: `AwsSolutions-${id}`, reason });
}

/** How cdk-nag names rights to objects of a bucket that belongs to another stack. */
export function objectsFinding(bucket: IBucket, keys: string): string {
  const owner = Stack.of(bucket);
  const reference = {
    StackName: owner.stackName,
    Region: owner.resolve(owner.region) as unknown,
    OutputName: publishedArn(owner, bucket),
  };
  return `IAM5[Resource::${JSON.stringify({ 'Fn::GetStackOutput': reference })}/${keys}]`;
}

/** The output by which other stacks read it: made here under the ids that the CDK looks for when it makes its own. */
function publishedArn(owner: Stack, { bucketArn }: IBucket): string {
  const published = owner.node.tryFindChild('Publish') ?? new Construct(owner, 'Publish');
  const id = `Output${JSON.stringify(owner.resolve(bucketArn))}`;
  const given = published.node.tryFindChild(id) as CfnOutput | undefined;
  const { logicalId } = given ?? new CfnOutput(published, id, { value: bucketArn });
  // The cast is safe: an id that nobody sets resolves to text.
  return owner.resolve(logicalId) as string;
}

/** How cdk-nag names a managed policy of AWS: without its partition while the region is not known. */
export function managedPolicyFindings(...names: string[]): string[] {
  const arns = names.flatMap((name) =>
    ['<AWS::Partition>', 'aws'].map((part) => `arn:${part}:iam::aws:policy/${name}`),
  );
  return arns.map((arn) => `IAM4[Policy::${arn}]`);
}
