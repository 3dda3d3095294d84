import type { NotificationSource } from './notification-source.ts';

/** A comment on a case. */
export interface CaseComment {
  readonly caseId: number;
  readonly commentId: number;
  readonly summary: string;
  /** Account id of its author, who is not told. */
  readonly by: string | null;
  readonly at: Date;
}

/** Notifications of the stream `case`: comments on cases. */
export interface CaseNotifications extends NotificationSource {
  /** Tells its owner, those named on it and who commented before, at most 100; of these only those who see it. */
  raise(comment: CaseComment): Promise<void>;
  /** Changes what was told of a comment. */
  reword(commentId: number, summary: string): Promise<void>;
  /** Nobody is told of it any more. */
  withdraw(commentId: number): Promise<void>;
}
