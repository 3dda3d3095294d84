import type {
  DueAttempt,
  NewWebhookDelivery,
  WebhookDeliveryRepository,
} from '@svc/application/alerts/webhook-delivery-repository.ts';
import { webhookLimits } from '@svc/domain';
import { and, desc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { rowsOf } from '../rows-of.ts';
import { alertRules, webhookDeliveries as deliveries } from '../schema/index.ts';
import { storableJson } from '../text.ts';

export class PgWebhookDeliveryRepository implements WebhookDeliveryRepository {
  readonly #db: Database;
  readonly #added: () => void;

  /** @param added - is told when there is something to deliver once the transaction has ended */
  constructor(db: Database, added: () => void = () => undefined) {
    this.#db = db;
    this.#added = added;
  }

  async add(added: readonly NewWebhookDelivery[]): Promise<void> {
    if (added.length === 0) return;
    await insertRows(this.#db, deliveries, added.map(toRow)).onConflictDoNothing();
    this.#added();
  }

  async takeDue(now: Date, until: Date, limit: number): Promise<readonly DueAttempt[]> {
    const rows = await rowsOf<{ id: string; attempts: number; rule_id: number }>(
      this.#db,
      sql`
        update ${deliveries} set due_at = ${until.toISOString()}::timestamptz
        where ${deliveries.id} in (
          select d.id from ${deliveries} d
          where d.due_at <= ${now.toISOString()}::timestamptz
          order by d.due_at
          limit ${limit}
          for update skip locked)
        returning id, attempts, rule_id`,
    );
    return rows.map(({ id, attempts, rule_id: ruleId }) => ({ deliveryId: id, attempt: attempts + 1, ruleId }));
  }

  async again(id: string, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(deliveries)
      .set({ state: 'queued', dueAt: at, attemptsBefore: sql`${deliveries.attempts}` })
      .where(and(eq(deliveries.id, id), ne(deliveries.state, 'queued')))
      .returning({ id: deliveries.id });
    if (rows.length > 0) this.#added();
    return rows.length > 0;
  }

  async findWatchRules(userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.#db
      .select({ id: alertRules.id, ownerId: alertRules.ownerId })
      .from(alertRules)
      .where(
        and(
          sql`${alertRules.ownerId} = any(${anArray('uuid', userIds)})`,
          eq(alertRules.tellsOfWatchedJobs, true),
          eq(alertRules.enabled, true),
          eq(alertRules.webhookEnabled, true),
          isNotNull(alertRules.webhookUrl),
        ),
      )
      .orderBy(desc(alertRules.id));
    return new Map(rows.map(({ id, ownerId }) => [ownerId!, id]));
  }

  async removeEnded(before: Date, limit: number): Promise<number> {
    const rows = await rowsOf(
      this.#db,
      sql`
        delete from ${deliveries} where ${deliveries.id} in (
          select d.id from ${deliveries} d
          where d.created_at < ${before.toISOString()}::timestamptz and d.state <> 'queued'
          order by d.created_at
          limit ${limit})
        returning 1`,
    );
    return rows.length;
  }
}

function toRow(delivery: NewWebhookDelivery): typeof deliveries.$inferInsert {
  const { id, ruleId, jobId, event, matchCount, entityIds = [], events = [], at } = delivery;
  return {
    id,
    ruleId,
    jobId,
    event,
    matchCount,
    facts: storableJson({
      entityIds: entityIds.slice(0, webhookLimits.entities),
      events: events.slice(0, webhookLimits.events),
    }),
    state: 'queued',
    dueAt: at,
    createdAt: at,
  };
}
