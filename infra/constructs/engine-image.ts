import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../settings.ts';

export type EngineName = keyof Settings['engines'];

const entry = fileURLToPath(new URL('../../containers/tools/entry', import.meta.url));

/** How the images of containers/tools begin. */
export const enginePrograms: Readonly<Record<EngineName, readonly string[]>> = {
  'evtx-timeline': ['/opt/hayabusa/hayabusa'],
  'evtx-hunt': ['/opt/chainsaw/chainsaw'],
  'sigma-multi': ['python3', '/opt/zircolite/zircolite.py'],
  'sigma-text': ['/opt/chopchopgo/ChopChopGo'],
};

/** The image of an engine with what carries out orders, for arm64; built and sent to ECR by the deployment. */
export function engineImage(engine: string): ContainerImage {
  return ContainerImage.fromAsset(entry, { buildArgs: { ENGINE: engine }, platform: Platform.LINUX_ARM64 });
}
