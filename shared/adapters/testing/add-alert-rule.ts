import type { AlertRuleDefinition } from '@svc/domain';
import type { Database } from '../postgres/database.ts';
import { alertRules } from '../postgres/schema/index.ts';

/** A rule with a webhook, without what its editor would ask for; returns its number. */
export async function addAlertRule(
  db: Database,
  url: string,
  over: Partial<typeof alertRules.$inferInsert> & Pick<typeof alertRules.$inferInsert, 'ownerId'>,
): Promise<number> {
  const [row] = await db
    .insert(alertRules)
    .values({
      name: 'Night watch',
      description: '',
      scope: 'entity',
      query: 'list:crown_jewels',
      entityTypes: [],
      actionTags: [{ name: 'prio/1', color: 'red' }] satisfies AlertRuleDefinition['actionTags'],
      notifies: true,
      webhookUrl: url,
      webhookMethod: 'POST',
      webhookHeaders: {},
      webhookEnabled: true,
      tellsOfWatchedJobs: false,
      enabled: true,
      createdAt: new Date(),
      updatedAt: new Date(),
      ...over,
    })
    .returning({ id: alertRules.id });
  return row!.id;
}
