import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { AppError, canEditComment, notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { tell } from '../happenings/tell.ts';
import type { Discussed } from './comment-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { openComment } from './discussed.ts';
import { holdSubject } from './hold-subject.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

/** Changes the text of the actor's own comment; an empty one, and the same, do nothing. */
export async function editComment(
  ports: ThreadPorts & Pick<Ports, 'clock' | 'transaction'>,
  actor: Actor,
  { id, body }: InputOf<typeof operations.editComment>,
): Promise<CommentThread> {
  const { comment, thread } = await openComment(ports, actor, id);
  if (!canEditComment(comment, actor)) throw new AppError('forbidden', 'Only its author may change a comment');
  if (body !== '' && body !== comment.body) {
    const change = { on: thread.on, id, body, by: signedIn(actor).userId, at: ports.clock.now() };
    if (!(await rewriteComment(ports, change))) throw notFound('comment');
  }
  return showThread(ports, actor, thread);
}

interface CommentChange {
  readonly on: Discussed;
  readonly id: number;
  readonly body: string;
  /** Account id. */
  readonly by: string;
  readonly at: Date;
}

/** Changes a comment and tells of it; false when it is gone. */
export function rewriteComment(
  { transaction }: Pick<Ports, 'transaction'>,
  { on, id, body, by, at }: CommentChange,
): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await holdSubject(tx, on)) || !(await tx.comments.edit(id, { body, at }))) return false;
    await tell(tx, { kind: 'comment_edited', subject: { kind: on.target, id: on.id }, by, at, commentId: id });
    return true;
  });
}
