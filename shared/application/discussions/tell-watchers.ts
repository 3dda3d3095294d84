import type { Happening } from '@svc/contracts/happenings.ts';
import { publicName, summaryOf, tagEvents } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import type { WatchedEventKey } from '../alerts/webhook-delivery-repository.ts';
import { commentSummary } from './comment-summary.ts';
import type { NewWatchEvent } from './watch-event-repository.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

/**
 * Tells those who watch a job of a comment on it, or of tags that it was given (resolved-platform 13.3), in the bell
 * and where their rules say so. Of a comment they read what it says by now; one that was deleted is told no more.
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
    const events = tagEvents(giver, given).map(
      ({ refId, summary }) => ({ ...about, kind: 'tag', refId, summary }) as const,
    );
    await raiseAll(tx, events);
  }
  if (happening.kind === 'commented') {
    const comment = await tx.comments.get(happening.commentId);
    if (comment === null) return;
    await raiseAll(tx, [{ ...about, kind: 'comment', refId: comment.id, summary: commentSummary(comment) }]);
  }
  if (happening.kind === 'ai_run_ended') {
    const run = await tx.aiRuns.get(happening.runId);
    if (run === null) return;
    const how = run.status === 'completed' ? 'has ended' : 'has failed';
    // Who started it is told as well.
    const summary = summaryOf(`The AI analysis by ${run.providerName} ${how}`);
    await raiseAll(tx, [{ ...about, by: null, kind: 'ai', refId: run.id, summary }]);
  }
  if (happening.kind === 'comment_edited') {
    const comment = await tx.comments.get(happening.commentId);
    if (comment !== null) await tx.watchEvents.reword('comment', comment.id, commentSummary(comment));
  }
  if (happening.kind === 'comment_deleted') await tx.watchEvents.withdraw('comment', happening.commentId);
}

/** Events of one action: of these a person is told in the bell each, and by webhook once (resolved-intel 14.5). */
async function raiseAll(tx: TransactionPorts, events: readonly NewWatchEvent[]): Promise<void> {
  const told = new Map<string, WatchedEventKey[]>();
  for (const event of events) {
    const { kind, refId } = event;
    for (const userId of await tx.watchEvents.raise(event)) {
      told.set(userId, [...(told.get(userId) ?? []), { kind, refId }]);
    }
  }
  if (told.size === 0) return;
  const rules = await tx.webhookDeliveries.findWatchRules([...told.keys()]);
  const deliveries = [...rules].map(([userId, ruleId]) => {
    const { jobId, at } = events[0]!;
    const own = told.get(userId)!;
    return {
      id: randomUUID(),
      ruleId,
      jobId,
      event: 'job.watch',
      matchCount: own.length,
      events: own,
      at,
    } as const;
  });
  if (deliveries.length > 0) await tx.webhookDeliveries.add(deliveries);
}

async function nameOf({ accounts }: Pick<TransactionPorts, 'accounts'>, id: string | null): Promise<string> {
  // Visitors give no tags.
  if (id === null) return 'A rule';
  const account = await accounts.get(id);
  return account ? publicName(account) : 'Somebody';
}
