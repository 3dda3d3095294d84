import type { InputOf, operations, WebhookDeliveryDetails } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentDeliveryDetails } from './present-delivery.ts';

export async function getWebhookDelivery(
  ports: Pick<Ports, 'jobViews' | 'webhookDeliveryLists'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getWebhookDelivery>,
): Promise<WebhookDeliveryDetails> {
  const delivery = await ports.webhookDeliveryLists.get(actor, id);
  if (delivery === null) throw notFound('delivery');
  return presentDeliveryDetails(ports, actor, delivery);
}
