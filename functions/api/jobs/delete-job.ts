import { compose } from '@svc/adapters/compose.ts';
import { deleteJob } from '@svc/application/jobs/delete-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'droppedObjects', 'jobs', 'ledger', 'log', 'objects');

export const deleteJobRoute = route(operations.deleteJob, (_actor, input) => deleteJob(ports, input));
