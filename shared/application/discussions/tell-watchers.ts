import type { Happening } from '@svc/contracts/happenings.ts';
import { publicName, tagEvents } from '@svc/domain';
import { commentSummary } from './comment-summary.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

/**
 * Tells those who watch a job of a comment on it, or of tags that it was given (resolved-platform 13.3). Of a comment
 * they read what it says by now; one that was deleted is told no more.
 */
export async function tellWatchers(tx: TransactionPorts, happening: Happening): Promise<void> {
  const { subject, by, at } = happening;
  if (subject.kind !== 'job') return;
  const about = { jobId: subject.id, by, at };
  if (happening.kind === 'tagged') {
    const [giver, given] = [
      await nameOf(tx, by),
      happening.tags.map(({ link: id, name }) => ({ id, name, jobId: subject.id })),
    ];
    for (const { refId, summary } of tagEvents(giver, given)) {
      await tx.watchEvents.raise({ ...about, kind: 'tag', refId, summary });
    }
  }
  if (happening.kind === 'commented') {
    const comment = await tx.comments.get(happening.commentId);
    if (comment === null) return;
    await tx.watchEvents.raise({ ...about, kind: 'comment', refId: comment.id, summary: commentSummary(comment) });
  }
  if (happening.kind === 'comment_edited') {
    const comment = await tx.comments.get(happening.commentId);
    if (comment !== null) await tx.watchEvents.reword('comment', comment.id, commentSummary(comment));
  }
  if (happening.kind === 'comment_deleted') await tx.watchEvents.withdraw('comment', happening.commentId);
}

async function nameOf({ accounts }: Pick<TransactionPorts, 'accounts'>, id: string | null): Promise<string> {
  // Visitors give no tags.
  if (id === null) return 'A rule';
  const account = await accounts.get(id);
  return account ? publicName(account) : 'Somebody';
}
