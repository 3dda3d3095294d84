import { compose } from '@svc/adapters/compose.ts';
import { createPublicUpload } from '@svc/application/submissions/create-public-upload.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'settings', 'uploads', 'uploadTargets');

export const createPublicUploadRoute = route(operations.createPublicUpload, (actor, input, { origin }) =>
  createPublicUpload(ports, actor, input, origin),
);
