import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { AppError, canEditComment, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { commentSummary } from './comment-summary.ts';
import { openComment } from './discussed.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

/** Changes the text of the actor's own comment; an empty one, and the same, do nothing. */
export async function editComment(
  ports: ThreadPorts & Pick<Ports, 'accounts' | 'clock'>,
  actor: Actor,
  { id, body }: InputOf<typeof operations.editComment>,
): Promise<CommentThread> {
  const { comment, thread } = await openComment(ports, actor, id);
  if (!canEditComment(comment, actor)) throw new AppError('forbidden', 'Only its author may change a comment');
  if (body !== '' && body !== comment.body) {
    const summary = await commentSummary(ports, actor, body);
    if (!(await ports.comments.edit(id, { body, summary, at: ports.clock.now() }))) throw notFound('comment');
  }
  return showThread(ports, actor, thread);
}
