import { compose } from '@svc/adapters/compose.ts';
import { listNotifications } from '@svc/application/notifications/list-notifications.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('watchEvents');

export const listNotificationsRoute = route(operations.listNotifications, (actor) => listNotifications(ports, actor));
