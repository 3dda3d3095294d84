import type { NotificationStream } from '@svc/domain';
import type { NotificationSource } from './notification-source.ts';
import type { Ports } from '../ports/ports.ts';

export type NotificationPorts = Pick<Ports, 'caseNotifications' | 'entityAlerts' | 'jobAlerts' | 'watchEvents'>;

/** Where each stream comes from: what the bell shows, counts and acknowledges is a loop over this table. */
export function sourcesOf({
  caseNotifications,
  entityAlerts,
  jobAlerts,
  watchEvents,
}: NotificationPorts): Readonly<Record<NotificationStream, NotificationSource>> {
  return { rule: entityAlerts, jobrule: jobAlerts, job: watchEvents, case: caseNotifications };
}
