import { compose } from '@svc/adapters/compose.ts';
import { acknowledgeNotifications } from '@svc/application/notifications/acknowledge-notifications.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'watchEvents');

export const acknowledgeNotificationsRoute = route(operations.acknowledgeNotifications, (actor) =>
  acknowledgeNotifications(ports, actor),
);
