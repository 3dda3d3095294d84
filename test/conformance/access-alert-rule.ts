import type { Ports } from '@svc/application/ports/ports.ts';
import { randomUUID } from 'node:crypto';
import { none } from './access-ai.ts';

export const noAlertRule = { rule: none, alert: none, jobAlert: none, delivery: randomUUID() };

/** A rule of the owner's that asks for a set, has matched, and has told its webhook. */
export async function anyAlertRule(ports: Ports, entity: number, jobId: number): Promise<typeof noAlertRule> {
  const { id: ownerId } = (await ports.accounts.findByEmail('owner@example.org'))!;
  const [delivery, at] = [randomUUID(), new Date()];
  const webhook = { url: 'https://soc.example/', method: 'POST', headers: {}, enabled: true } as const;
  const definition = { name: delivery, description: '', scope: 'entity', query: 'in:(a,b)', webhook } as const;
  const does = { entityTypes: [], actionTags: [], notifies: true, tellsOfWatchedJobs: false };
  const own = await ports.transaction(async (tx) => {
    const fields = { definition: { ...definition, ...does }, ownerId, key: null, enabled: true, by: ownerId, at };
    const made = await tx.alertRules.insert(fields);
    await tx.rulePasses.recordEntities([{ ruleId: made, jobId, at, isAlert: true, entityIds: [entity] }]);
    await tx.rulePasses.recordJob({ ruleId: made, jobId, at, isAlert: true });
    await tx.webhookDeliveries.add([{ id: delivery, ruleId: made, jobId, event: 'rule.match', matchCount: 1, at }]);
    return made;
  });
  const attempt = { deliveryId: delivery, attempt: 1 };
  await ports.webhookAttempts.begin(attempt, at, at);
  await ports.webhookAttempts.end(attempt, {
    ok: true,
    statusCode: 204,
    error: null,
    durationMs: 1,
    nextAttemptAt: null,
  });
  const owner = { kind: 'account', userId: ownerId, email: 'owner@example.org', role: 'member', ip: '' } as const;
  const its = { ruleId: own, entityId: null, isOpen: true, ofEverybody: false, limit: 1 };
  const [alert, jobAlert] = await Promise.all(
    [ports.entityAlerts, ports.jobAlerts].map(async (alerts) => (await alerts.list(owner, its)).alerts[0]!.id),
  );
  return { rule: own, alert: alert!, jobAlert: jobAlert!, delivery };
}
