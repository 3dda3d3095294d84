import { compose } from '@svc/adapters/compose.ts';
import { createUpload } from '@svc/application/submissions/create-upload.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'settings', 'uploads', 'uploadTargets');

export const createUploadRoute = route(operations.createUpload, (actor, input, { origin }) =>
  createUpload(ports, actor, input, origin),
);
