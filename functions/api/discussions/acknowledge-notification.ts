import { compose } from '@svc/adapters/compose.ts';
import { acknowledgeNotification } from '@svc/application/notifications/acknowledge-notification.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'watchEvents');

export const acknowledgeNotificationRoute = route(operations.acknowledgeNotification, (actor, input) =>
  acknowledgeNotification(ports, actor, input),
);
