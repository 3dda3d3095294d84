import type { NotificationStream } from '@svc/domain';
import type { NotificationSource } from './notification-source.ts';
import type { Ports } from '../ports/ports.ts';

export type NotificationPorts = Pick<Ports, 'watchEvents'>;

/** Where each stream comes from: what the bell shows, counts and acknowledges is a loop over this table. */
export function sourcesOf({ watchEvents }: NotificationPorts): Partial<Record<NotificationStream, NotificationSource>> {
  return { job: watchEvents };
}
