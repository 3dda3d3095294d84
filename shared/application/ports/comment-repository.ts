import type { Comment, CommentTarget } from '@svc/domain';

/** A thing with its discussion. */
export interface Discussed {
  readonly target: CommentTarget;
  readonly id: number;
}

export interface NewComment {
  readonly on: Discussed;
  /** Account id. */
  readonly authorId: string;
  readonly body: string;
  /** What those who watch the job are told. */
  readonly summary: string;
  readonly at: Date;
}

/** Comments that are not deleted; a deleted one leaves a tombstone that nothing shows (service 2.8). */
export interface CommentRepository {
  /** With what those who watch the job are told of it, in one transaction. Throws `not_found` when the thing is gone. */
  add(comment: NewComment): Promise<void>;
  get(id: number): Promise<Comment | null>;
  /** The newest ones, or those before a comment, oldest first; and how many there are in all. */
  thread(
    on: Discussed,
    part: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly total: number; readonly comments: readonly Comment[] }>;
  count(on: Discussed): Promise<number>;
  /** Changes the text, and what watchers are told; false when the comment is gone. */
  edit(id: number, change: { readonly body: string; readonly summary: string; readonly at: Date }): Promise<boolean>;
  /** Blanks the text, also where watchers were told of it; false when the comment is gone. `by` is an account id. */
  delete(id: number, deletion: { readonly by: string; readonly at: Date }): Promise<boolean>;
  /** Forgets tombstones older than this; returns how many. */
  removeTombstones(before: Date): Promise<number>;
}
