import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import { operations } from '@svc/contracts';
import { presentSubmission } from '../../present-submission.ts';
import { route } from '../../route.ts';
import { acceptPorts } from '../../accept-ports.ts';

export const uploadFileRoute = route(
  operations.uploadFile,
  (actor, input) => uploadFile(acceptPorts, actor, input),
  presentSubmission,
);
