import { Stack } from 'aws-cdk-lib';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../settings.ts';

export type EngineName = keyof Settings['engines'];

const tools = fileURLToPath(new URL('../../containers/tools', import.meta.url));
/** Folders of their Dockerfiles below containers/tools. */
const folders: Readonly<Record<EngineName, string>> = {
  'evtx-timeline': 'hayabusa',
  'evtx-hunt': 'chainsaw',
  'sigma-multi': 'zircolite',
  'sigma-text': 'chopchopgo',
};

/** The image that the settings name; else that of containers/tools, built by the deployment for arm64. */
export function engineImage(scope: Construct, engine: EngineName, image: string | undefined): ContainerImage {
  if (image === undefined) {
    return ContainerImage.fromAsset(tools, {
      file: `${folders[engine]}/Dockerfile`,
      platform: Platform.LINUX_ARM64,
      // What is only of other engines does not make this one anew.
      exclude: Object.entries(folders).flatMap(([other, folder]) => (other === engine ? [] : [folder])),
    });
  }
  const ownRegistry = /^(\d{12})\.dkr\.ecr\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/([^@]+)@(sha256:[0-9a-f]{64})$/;
  const [, account, region, repositoryName, digest] = ownRegistry.exec(image) ?? [];
  if (repositoryName === undefined || digest === undefined) return ContainerImage.fromRegistry(image);
  const { partition } = Stack.of(scope);
  const repositoryArn = `arn:${partition}:ecr:${region}:${account}:repository/${repositoryName}`;
  const repository = Repository.fromRepositoryAttributes(scope, `${engine}Repository`, {
    repositoryArn,
    repositoryName,
  });
  return ContainerImage.fromEcrRepository(repository, digest);
}
