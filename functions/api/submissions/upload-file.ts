import { compose } from '@svc/adapters/compose.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import { operations } from '@svc/contracts';
import { presentSubmission } from '../../present-submission.ts';
import { route } from '../../route.ts';

const ports = compose(
  'cases',
  'clock',
  'files',
  'jobs',
  'objects',
  'receipts',
  'settings',
  'tasks',
  'uploads',
  'workflows',
);

export const uploadFileRoute = route(
  operations.uploadFile,
  (actor, input) => uploadFile(ports, actor, input),
  presentSubmission,
);
