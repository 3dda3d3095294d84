import { rerunJobs } from '@svc/application/submissions/rerun-jobs.ts';
import { operations } from '@svc/contracts';
import { rerunPorts } from '../../rerun-ports.ts';
import { route } from '../../route.ts';

export const rerunJobsRoute = route(operations.rerunJobs, (actor, input) => rerunJobs(rerunPorts, actor, input));
