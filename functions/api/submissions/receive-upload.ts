import { compose } from '@svc/adapters/compose.ts';
import { receiveUpload } from '@svc/application/submissions/receive-upload.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'objects', 'uploadAdmission', 'uploads', 'uploadTargets');

export const receiveUploadRoute = route(operations.receiveUpload, (actor, input) => receiveUpload(ports, actor, input));
