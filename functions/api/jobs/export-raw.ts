import { compose } from '@svc/adapters/compose.ts';
import { exportRaw } from '@svc/application/jobs/export-raw.ts';
import { operations } from '@svc/contracts';
import { presentDownload } from '../../present-download.ts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'droppedObjects', 'jobs', 'log', 'objects', 'rawOutputs', 'uploadTargets');

export const exportRawRoute = route(operations.exportRaw, (_actor, input) => exportRaw(ports, input), presentDownload);
