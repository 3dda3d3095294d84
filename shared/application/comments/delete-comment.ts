import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { AppError, canDeleteComment, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../accounts/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { openComment } from './discussed.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

/** Blanks a comment and takes it out of its thread; who did it stays on record for a while (service 2.8). */
export async function deleteComment(
  ports: ThreadPorts & Pick<Ports, 'clock'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteComment>,
): Promise<CommentThread> {
  const { userId } = signedIn(actor);
  const { comment, thread } = await openComment(ports, actor, id);
  if (!canDeleteComment(comment, actor, thread.owner)) {
    throw new AppError('forbidden', 'Only its author and administrators may delete this comment');
  }
  if (!(await ports.comments.delete(id, { by: userId, at: ports.clock.now() }))) throw notFound('comment');
  return showThread(ports, actor, thread);
}
