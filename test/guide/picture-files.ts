import { join } from 'node:path';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';

/** Where the pictures of the guide are kept. */
export const pictureFolder = join(projectRoot(), 'frontend/src/features/system/guide/images');

/** Of one picture. */
export const mostBytes = 60_000;
