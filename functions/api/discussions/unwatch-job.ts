import { compose } from '@svc/adapters/compose.ts';
import { unwatchJob } from '@svc/application/watches/unwatch-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('watches');

export const unwatchJobRoute = route(operations.unwatchJob, (actor, input) => unwatchJob(ports, actor, input));
