import type { CommentThread, InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { signedIn } from '../accounts/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { commentSummary } from './comment-summary.ts';
import { openThread } from './discussed.ts';
import { showThread, type ThreadPorts } from './list-comments.ts';

type AddPorts = ThreadPorts & Pick<Ports, 'accounts' | 'clock' | 'watches'>;

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
    const summary = await commentSummary(ports, actor, body);
    await ports.comments.add({ on: thread.on, authorId: userId, body, summary, at });
    if (target === 'job') await ports.watches.begin(userId, id, at);
  }
  return showThread(ports, actor, thread);
}
