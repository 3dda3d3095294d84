import { compose } from '@svc/adapters/compose.ts';
import { exportAnalytics } from '@svc/application/jobs/export-analytics.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('derivations', 'findings', 'jobs');

export const exportAnalyticsRoute = route(
  operations.exportAnalytics,
  (_actor, input) => exportAnalytics(ports, input),
  (_analytics, { input }) => ({
    headers: { 'content-disposition': `attachment; filename="job_${input.id}_analytics.json"` },
  }),
);
