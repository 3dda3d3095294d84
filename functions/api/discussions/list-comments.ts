import { compose } from '@svc/adapters/compose.ts';
import { listComments } from '@svc/application/comments/list-comments.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('cases', 'comments', 'jobViews', 'settings');

export const listCommentsRoute = route(operations.listComments, (actor, input) => listComments(ports, actor, input));
