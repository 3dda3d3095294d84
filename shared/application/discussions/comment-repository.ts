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
  readonly at: Date;
}

/** Comments that are not deleted; a deleted one leaves a tombstone that nothing shows (service 2.8). */
export interface CommentRepository {
  /** On a thing that the transaction holds; returns its id. */
  add(comment: NewComment): Promise<number>;
  get(id: number): Promise<Comment | null>;
  /** The newest ones, or those before a comment, oldest first; and how many there are in all. */
  thread(
    on: Discussed,
    part: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly total: number; readonly comments: readonly Comment[] }>;
  count(on: Discussed): Promise<number>;
  /** Changes the text; false when the comment is gone. */
  edit(id: number, change: { readonly body: string; readonly at: Date }): Promise<boolean>;
  /** Blanks the text; false when the comment is gone. `by` is an account id. */
  delete(id: number, deletion: { readonly by: string; readonly at: Date }): Promise<boolean>;
  /** Forgets tombstones older than this; returns how many. */
  removeTombstones(before: Date): Promise<number>;
}
