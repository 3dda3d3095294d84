import { resubmitJob } from '@svc/application/submissions/resubmit-job.ts';
import { operations } from '@svc/contracts';
import { rerunPorts } from '../../rerun-ports.ts';
import { route } from '../../route.ts';

export const resubmitJobRoute = route(operations.resubmitJob, (actor, input) => resubmitJob(rerunPorts, actor, input));
