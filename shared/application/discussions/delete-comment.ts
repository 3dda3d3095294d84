import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { AppError, canDeleteComment, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { tell } from '../happenings/tell.ts';
import type { Discussed } from './comment-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { openComment } from './discussed.ts';
import { holdSubject } from './hold-subject.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

/** Blanks a comment and takes it out of its thread; who did it stays on record for a while (service 2.8). */
export async function deleteComment(
  ports: ThreadPorts & Pick<Ports, 'clock' | 'transaction'>,
  actor: Actor,
  { id }: InputOf<typeof operations.deleteComment>,
): Promise<CommentThread> {
  const { userId } = signedIn(actor);
  const { comment, thread } = await openComment(ports, actor, id);
  if (!canDeleteComment(comment, actor, thread.owner)) {
    throw new AppError('forbidden', 'Only its author and administrators may delete this comment');
  }
  const deletion = { on: thread.on, id, by: userId, at: ports.clock.now() };
  if (!(await removeComment(ports, deletion))) throw notFound('comment');
  return showThread(ports, actor, thread);
}

interface CommentDeletion {
  readonly on: Discussed;
  readonly id: number;
  /** Account id. */
  readonly by: string;
  readonly at: Date;
}

/** Blanks a comment and tells of it; false when it is gone. */
export function removeComment(
  { transaction }: Pick<Ports, 'transaction'>,
  { on, id, by, at }: CommentDeletion,
): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await holdSubject(tx, on)) || !(await tx.comments.delete(id, { by, at }))) return false;
    await tell(tx, { kind: 'comment_deleted', subject: { kind: on.target, id: on.id }, by, at, commentId: id });
    return true;
  });
}
