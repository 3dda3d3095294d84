import type { InputOf, operations, WebhookDeliveryDetails } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentDeliveryDetails } from './present-delivery.ts';

export async function getWebhookDelivery(
  { webhookDeliveryLists }: Pick<Ports, 'webhookDeliveryLists'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getWebhookDelivery>,
): Promise<WebhookDeliveryDetails> {
  const delivery = await webhookDeliveryLists.get(actor, id);
  if (delivery === null) throw notFound('delivery');
  return presentDeliveryDetails(delivery);
}
