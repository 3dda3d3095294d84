import { compose } from '@svc/adapters/compose.ts';
import { restoreNotifications } from '@svc/application/notifications/restore-notifications.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('watchEvents');

export const restoreNotificationsRoute = route(operations.restoreNotifications, (actor, input) =>
  restoreNotifications(ports, actor, input),
);
