import { compose } from '@svc/adapters/compose.ts';
import { editComment } from '@svc/application/comments/edit-comment.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('accounts', 'cases', 'clock', 'comments', 'jobViews', 'settings');

export const editCommentRoute = route(operations.editComment, (actor, input) => editComment(ports, actor, input));
