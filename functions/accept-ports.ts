import { compose } from '@svc/adapters/compose.ts';

/** What turning a file into a job needs, however the file comes. */
export const acceptPorts = compose(
  'cases',
  'clock',
  'deployment',
  'engines',
  'files',
  'jobs',
  'launcher',
  'log',
  'objects',
  'receipts',
  'settings',
  'tasks',
  'uploads',
  'workflows',
);
