import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toldRule } from './test-webhook.ts';

/** Has a delivery that ended sent once more, as often as a new one would be; receivers know it by its id. */
export async function redeliverWebhook(
  ports: Pick<Ports, 'clock' | 'transaction' | 'webhookDeliveryLists'>,
  actor: Actor,
  { id }: InputOf<typeof operations.redeliverWebhook>,
): Promise<OutputOf<typeof operations.redeliverWebhook>> {
  const delivery = await ports.webhookDeliveryLists.get(actor, id);
  if (delivery === null) throw notFound('delivery');
  await toldRule(ports, actor, delivery.rule.id);
  const isQueued = await ports.transaction((tx) => tx.webhookDeliveries.again(id, ports.clock.now()));
  if (!isQueued) throw new AppError('conflict', 'The delivery is on its way already');
  return { delivery_id: id };
}
