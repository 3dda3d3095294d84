import { compose } from '@svc/adapters/compose.ts';

/** What turning a file into a job needs, however the file comes. */
export const acceptPorts = compose(
  'cases',
  'clock',
  'files',
  'jobs',
  'objects',
  'receipts',
  'settings',
  'tasks',
  'uploads',
  'workflows',
);
