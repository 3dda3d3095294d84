import { compose } from '@svc/adapters/compose.ts';
import { deleteComment } from '@svc/application/comments/delete-comment.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('cases', 'clock', 'comments', 'jobViews', 'settings');

export const deleteCommentRoute = route(operations.deleteComment, (actor, input) => deleteComment(ports, actor, input));
