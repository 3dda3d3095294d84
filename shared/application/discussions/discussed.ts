import { AppError, hasRole, notFound, type Actor, type Comment, type CommentTarget } from '@svc/domain';
import { visibleCase } from '../cases/visible-case.ts';
import type { Discussed } from './comment-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { visibleJob } from '../jobs/visible-job.ts';

export type DiscussedPorts = Pick<Ports, 'cases' | 'entities' | 'jobViews'>;

/** A thing that its viewer may discuss. */
export interface OpenThread {
  readonly on: Discussed;
  /** Account id of whom the thread belongs to; null when it is nobody's. */
  readonly owner: string | null;
}

/** How each thing is looked up as its viewer sees it; throws as if it were not there when they do not. */
const lookUp: Readonly<
  Record<CommentTarget, (ports: DiscussedPorts, actor: Actor, id: number) => Promise<OpenThread['owner']>>
> = {
  job: async ({ jobViews }, actor, id) => {
    await visibleJob({ jobViews }, actor, id);
    return null;
  },
  case: async (ports, actor, id) => (await visibleCase(ports, actor, id)).ownerId,
  entity: async ({ entities }, actor, id) => {
    if (!hasRole(actor, 'member')) throw new AppError('forbidden', 'Only members discuss entities');
    if ((await entities.get(id)) === null) throw notFound('entity');
    return null;
  },
};

/** The thread of a thing that the actor sees. */
export async function openThread(ports: DiscussedPorts, actor: Actor, on: Discussed): Promise<OpenThread> {
  return { on, owner: await lookUp[on.target](ports, actor, on.id) };
}

/** A comment and its thread; one on something that the actor does not see is not there. */
export async function openComment(
  ports: DiscussedPorts & Pick<Ports, 'comments'>,
  actor: Actor,
  id: number,
): Promise<{ comment: Comment; thread: OpenThread }> {
  const comment = await ports.comments.get(id);
  if (!comment) throw notFound('comment');
  try {
    return { comment, thread: await openThread(ports, actor, { target: comment.target, id: comment.targetId }) };
  } catch (error) {
    throw isMissing(error) ? notFound('comment') : error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && ['not_found', 'case_not_found', 'forbidden'].includes(error.code);
}
