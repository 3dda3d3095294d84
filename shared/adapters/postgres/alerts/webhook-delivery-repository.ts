import type {
  NewWebhookDelivery,
  WebhookDeliveryRepository,
} from '@svc/application/alerts/webhook-delivery-repository.ts';
import type { Database } from '../database.ts';
import { webhookDeliveries } from '../schema/index.ts';

export class PgWebhookDeliveryRepository implements WebhookDeliveryRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(deliveries: readonly NewWebhookDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ id, ruleId, jobId, event, matchCount, entityIds = [], events = [], at }) => ({
      id,
      ruleId,
      jobId,
      event,
      matchCount,
      facts: { entityIds, events },
      state: 'queued' as const,
      dueAt: at,
      createdAt: at,
    }));
    await this.#db.insert(webhookDeliveries).values(rows).onConflictDoNothing();
  }
}
