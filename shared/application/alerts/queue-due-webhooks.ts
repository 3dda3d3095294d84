import type { Ports } from '../ports/ports.ts';

export type QueueWebhooksPorts = Pick<Ports, 'clock' | 'tasks' | 'webhookDeliveries'>;

const atOnce = 200;
/** By then a task that was queued has begun, or is not there any more. */
const againSeconds = 120;

/**
 * Queues the next attempt of each delivery that is due and has none: after what has just been committed, and again and
 * again for what was lost on the way. Returns how many.
 */
export async function queueDueWebhooks({ clock, tasks, webhookDeliveries }: QueueWebhooksPorts): Promise<number> {
  for (let queued = 0; ;) {
    const now = clock.now();
    const due = await webhookDeliveries.takeDue(now, new Date(now.getTime() + againSeconds * 1000), atOnce);
    for (const { deliveryId, attempt, ruleId } of due) {
      await tasks.enqueue({ kind: 'deliver_webhook', deliveryId, attempt }, { submitter: `rule:${ruleId}` });
    }
    queued += due.length;
    if (due.length < atOnce) return queued;
  }
}
