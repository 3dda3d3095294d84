import { compose } from '@svc/adapters/compose.ts';
import { getHome } from '@svc/application/submissions/get-home.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('clock', 'deployment', 'jobLists', 'settings', 'shipped', 'workflows');

export const getHomeRoute = route(operations.getHome, (actor) => getHome(ports, actor));
