import { compose } from '@svc/adapters/compose.ts';
import { exportedVersion, exportFindings } from '@svc/application/jobs/export-findings.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'jobViews', 'settings');

export const exportFindingsRoute = route(
  operations.exportFindings,
  (actor, input) => exportFindings(ports, actor, input),
  (_findings, { input }) => ({
    headers: { 'content-disposition': `attachment; filename="job_${input.id}_findings.json"` },
  }),
  (actor, input) => exportedVersion(ports, actor, input),
);
