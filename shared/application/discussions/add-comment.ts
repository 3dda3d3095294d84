import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { tell } from '../happenings/tell.ts';
import type { NewComment } from './comment-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { openThread } from './discussed.ts';
import { holdSubject } from './hold-subject.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

type AddPorts = ThreadPorts & Pick<Ports, 'clock' | 'transaction' | 'watches'>;

/**
 * Comments on something that the actor sees; on a job its watchers are told, and the author watches it from then
 * on, as far as they may. An empty text does nothing.
 */
export async function addComment(
  ports: AddPorts,
  actor: Actor,
  { target, id, body }: InputOf<typeof operations.addComment>,
): Promise<CommentThread> {
  const { userId } = signedIn(actor);
  const thread = await openThread(ports, actor, { target, id });
  if (body !== '') {
    const at = ports.clock.now();
    await writeComment(ports, { on: thread.on, authorId: userId, body, at });
    if (target === 'job') await ports.watches.begin(userId, id, at);
  }
  return showThread(ports, actor, thread);
}

/** Adds a comment and tells of it; throws `not_found` when the thing is gone. */
export function writeComment({ transaction }: Pick<Ports, 'transaction'>, comment: NewComment): Promise<void> {
  const { on, authorId: by, at } = comment;
  return transaction(async (tx) => {
    if (!(await holdSubject(tx, on))) throw notFound(on.target);
    const commentId = await tx.comments.add(comment);
    await tell(tx, { kind: 'commented', subject: { kind: on.target, id: on.id }, by, at, commentId });
  });
}
