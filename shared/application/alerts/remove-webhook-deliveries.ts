import type { Ports } from '../ports/ports.ts';

const dayMs = 86_400_000;
const atOnce = 1000;

/** Forgets deliveries that ended `WEBHOOK_DELIVERY_RETENTION_DAYS` ago, with their attempts; how many. */
export async function removeWebhookDeliveries({
  clock,
  deployment,
  webhookDeliveries,
}: Pick<Ports, 'clock' | 'deployment' | 'webhookDeliveries'>): Promise<number> {
  const days = deployment.retentionDays.webhookDeliveries;
  if (days === 0) return 0;
  const before = new Date(clock.now().getTime() - days * dayMs);
  for (let removed = 0; ;) {
    const count = await webhookDeliveries.removeEnded(before, atOnce);
    removed += count;
    if (count < atOnce) return removed;
  }
}
