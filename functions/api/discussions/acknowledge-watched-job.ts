import { compose } from '@svc/adapters/compose.ts';
import { acknowledgeWatchedJob } from '@svc/application/watches/acknowledge-watched-job.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'watchEvents');

export const acknowledgeWatchedJobRoute = route(operations.acknowledgeWatchedJob, (actor, input) =>
  acknowledgeWatchedJob(ports, actor, input),
);
