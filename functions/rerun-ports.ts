import { compose } from '@svc/adapters/compose.ts';

/** What analysing stored files anew needs. */
export const rerunPorts = compose(
  'clock',
  'deployment',
  'engines',
  'files',
  'jobLists',
  'jobs',
  'launcher',
  'log',
  'settings',
  'tasks',
  'workflows',
);
