import { compose } from '@svc/adapters/compose.ts';
import { addComment } from '@svc/application/comments/add-comment.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts', 'cases', 'clock', 'comments', 'jobViews', 'settings', 'watches');

export const addCommentRoute = route(operations.addComment, (actor, input) => addComment(ports, actor, input));
