import type { Happening } from '@svc/contracts/happenings.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { commentSummary } from './comment-summary.ts';

/**
 * Tells those who have to do with a case of a comment on it (resolved-intel 21). They read what it says by now; one that
 * was deleted is told no more.
 */
export async function tellCasePeople(tx: TransactionPorts, happening: Happening): Promise<void> {
  const { subject, by, at } = happening;
  if (subject.kind !== 'case' || !('commentId' in happening)) return;
  const { commentId } = happening;
  if (happening.kind === 'comment_deleted') return tx.caseNotifications.withdraw(commentId);
  const comment = await tx.comments.get(commentId);
  if (comment === null) return;
  const summary = commentSummary(comment);
  if (happening.kind === 'comment_edited') return tx.caseNotifications.reword(commentId, summary);
  await tx.caseNotifications.raise({ caseId: subject.id, commentId, summary, by, at });
}
