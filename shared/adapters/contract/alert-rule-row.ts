import type { Database } from '../postgres/database.ts';
import { alertRules } from '../postgres/schema/index.ts';
import { at } from './job-fixture.ts';

/** Puts a rule on all entities, which does nothing, into the database, with what is given in its place; its id. */
export async function insertRule(db: Database, over: Partial<typeof alertRules.$inferInsert>): Promise<number> {
  const [made] = await db
    .insert(alertRules)
    .values({
      name: 'a rule',
      description: '',
      scope: 'entity',
      query: '',
      entityTypes: [],
      actionTags: [],
      notifies: false,
      webhookMethod: 'POST',
      webhookHeaders: {},
      webhookEnabled: false,
      tellsOfWatchedJobs: false,
      enabled: true,
      createdAt: at,
      updatedAt: at,
      ...over,
    })
    .returning({ id: alertRules.id });
  return made!.id;
}
