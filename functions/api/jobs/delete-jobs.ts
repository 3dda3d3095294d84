import { compose } from '@svc/adapters/compose.ts';
import { deleteJobs } from '@svc/application/jobs/delete-jobs.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'droppedObjects', 'jobs', 'ledger', 'log', 'objects');

export const deleteJobsRoute = route(operations.deleteJobs, (_actor, input) => deleteJobs(ports, input));
