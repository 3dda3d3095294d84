import { compose } from '@svc/adapters/compose.ts';
import { downloadFile } from '@svc/application/jobs/download-file.ts';
import { operations } from '@svc/contracts';
import { presentDownload } from '../../present-download.ts';
import { route } from '../../route.ts';

const ports = compose('clock', 'jobs', 'log', 'objects', 'uploadTargets');

export const downloadFileRoute = route(
  operations.downloadFile,
  (_actor, input) => downloadFile(ports, input),
  presentDownload,
);
