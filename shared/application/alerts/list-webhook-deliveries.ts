import { deliveryPage, type InputOf, type operations, type OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentDeliveries } from './present-delivery.ts';

/** What was told to the webhooks of the actor's rules, newest first. */
export async function listWebhookDeliveries(
  ports: Pick<Ports, 'jobViews' | 'webhookDeliveryLists'>,
  actor: Actor,
  { rule_id: ruleId, state, before }: InputOf<typeof operations.listWebhookDeliveries>,
): Promise<OutputOf<typeof operations.listWebhookDeliveries>> {
  const found = await ports.webhookDeliveryLists.page(
    actor,
    { ruleId, state: state ?? null, before: before ?? null },
    deliveryPage + 1,
  );
  const shown = found.slice(0, deliveryPage);
  return {
    deliveries: await presentDeliveries(ports, actor, shown),
    before: found.length > shown.length ? shown.at(-1)!.id : null,
  };
}
