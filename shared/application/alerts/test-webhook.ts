import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import type { ToldRule } from './webhook-delivery-lists.ts';

/** Sends a test to the webhook of a rule, which the deliveries then show. */
export async function testWebhook(
  ports: Pick<Ports, 'clock' | 'transaction' | 'webhookDeliveryLists'>,
  actor: Actor,
  { id: ruleId }: InputOf<typeof operations.testWebhook>,
): Promise<OutputOf<typeof operations.testWebhook>> {
  await toldRule(ports, actor, ruleId);
  const [id, at] = [randomUUID(), ports.clock.now()];
  const delivery = { id, ruleId, jobId: null, event: 'rule.test', matchCount: 0, at } as const;
  await ports.transaction((tx) => tx.webhookDeliveries.add([delivery]));
  return { delivery_id: id };
}

/** A rule of the actor's whose webhook can be told something now. */
export async function toldRule(
  { webhookDeliveryLists }: Pick<Ports, 'webhookDeliveryLists'>,
  actor: Actor,
  id: number,
): Promise<ToldRule> {
  const rule = await webhookDeliveryLists.rule(actor, id);
  if (rule === null) throw notFound('rule');
  if (!rule.hasUrl) throw new AppError('no_webhook', 'The rule has no webhook');
  if (!rule.isEnabled) throw new AppError('webhook_disabled', 'The webhook of the rule is switched off');
  return rule;
}
