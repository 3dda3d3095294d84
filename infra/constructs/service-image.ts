import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What each image takes of what is built, so that a change of one does not make the other anew. */
const built = { gateway: ['dist/server', 'dist/web'], worker: ['dist/worker'] } as const;

/** The image of containers/<name>, for arm64; built and sent to ECR by the deployment, which needs Docker. */
export function imageOf(name: keyof typeof built): ContainerImage {
  const others = Object.entries(built).filter(([other]) => other !== name);
  return ContainerImage.fromAsset(repository, {
    file: `containers/${name}/Dockerfile`,
    platform: Platform.LINUX_ARM64,
    exclude: others.flatMap(([, folders]) => folders),
  });
}
