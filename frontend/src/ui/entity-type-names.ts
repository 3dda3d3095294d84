import type { EntityType } from '@svc/domain';

/** How types of entities are called beside a value. */
export const typeNames: Readonly<Record<EntityType, string>> = {
  user: 'User',
  computer: 'Computer',
  ip_address: 'IP',
  hash: 'Hash',
  executable: 'Executable',
  domain: 'Domain',
  cmdline_file: 'Command-line file',
  service: 'Service',
  task: 'Task',
};
