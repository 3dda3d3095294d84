import { compose } from '@svc/adapters/compose.ts';
import { countNotifications } from '@svc/application/notifications/count-notifications.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('watchEvents');

export const countNotificationsRoute = route(operations.countNotifications, (actor) =>
  countNotifications(ports, actor),
);
