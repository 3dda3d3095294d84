import { hasRole, type Actor } from './actor.ts';

/** What can be discussed; each has its row in the use cases' table of targets and its column in the comments' table. */
export const commentTargets = ['job', 'case', 'entity'] as const;
export type CommentTarget = (typeof commentTargets)[number];

/** Longest text of a comment in characters, and how many of a thread are read at once (service 8.2). */
export const commentLimits = { length: 4000, page: 100 } as const;

/** A contribution to the discussion of a job, a case or an entity (service 2.8). */
export interface Comment {
  readonly id: number;
  readonly target: CommentTarget;
  readonly targetId: number;
  /** Null when the account is gone. */
  readonly author: { readonly id: string; readonly name: string } | null;
  /** As written: Markdown, when the site shows it as such. */
  readonly body: string;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
}

/** Only the author, whatever anybody else's role. */
export function canEditComment({ author }: Pick<Comment, 'author'>, actor: Actor): boolean {
  return actor.kind === 'account' && author?.id === actor.userId;
}

/** The author, administrators, and whom the thread belongs to: the owner of a case. */
export function canDeleteComment(comment: Pick<Comment, 'author'>, actor: Actor, threadOwner: string | null): boolean {
  if (canEditComment(comment, actor) || hasRole(actor, 'admin')) return true;
  return actor.kind === 'account' && threadOwner !== null && threadOwner === actor.userId;
}
