import { compose } from '@svc/adapters/compose.ts';
import { listJobs } from '@svc/application/jobs/list-jobs.ts';
import { asPreferences, keptPreferences, operations, preferenceCookies } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'jobLists', 'tags');

// What the query asks for is kept in the browser, and stands in for what a later one leaves out.
export const listJobsRoute = route(
  operations.listJobs,
  (actor, input, { cookies = [] }) => listJobs(ports, actor, { ...keptPreferences(cookies), ...input }),
  (_, { input }) => ({
    cookies: preferenceCookies(asPreferences(input), { secure: ports.deployment.http.secureCookies }),
  }),
);
