import type { CommentThread, InputOf, operations } from '@svc/contracts';
import { canDeleteComment, canEditComment, commentLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { openThread, type DiscussedPorts, type OpenThread } from './discussed.ts';

export type ThreadPorts = DiscussedPorts & Pick<Ports, 'comments' | 'settings'>;

/** The newest comments on something that the actor sees, or those before one (resolved-platform 13.2). */
export async function listComments(
  ports: ThreadPorts,
  actor: Actor,
  { target, id, before }: InputOf<typeof operations.listComments>,
): Promise<CommentThread> {
  return showThread(ports, actor, await openThread(ports, actor, { target, id }), before);
}

/** A thread as its viewer reads it. */
export async function showThread(
  { comments, settings }: ThreadPorts,
  actor: Actor,
  { on, owner }: OpenThread,
  before?: number,
): Promise<CommentThread> {
  const [{ total, comments: found }, { renderMarkdown }] = await Promise.all([
    comments.thread(on, { before: before ?? null, limit: commentLimits.page }),
    settings.current(),
  ]);
  return {
    total,
    shown: found.length,
    comments: found.map((comment) => ({
      id: comment.id,
      author: comment.author && { name: comment.author.name },
      body: comment.body,
      created_at: comment.createdAt.toISOString(),
      ...(comment.editedAt && { edited_at: comment.editedAt.toISOString() }),
      can_edit: canEditComment(comment, actor),
      can_delete: canDeleteComment(comment, actor, owner),
    })),
    markdown: renderMarkdown,
  };
}
