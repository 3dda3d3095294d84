import type {
  DeliveryFilter,
  ListedDelivery,
  ShownDelivery,
  ToldRule,
  WebhookDeliveryLists,
} from '@svc/application/alerts/webhook-delivery-lists.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, asc, desc, eq, getTableColumns, isNull, or, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { alertRules, jobs, webhookAttempts, webhookDeliveries } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

type Attempt = Omit<typeof webhookAttempts.$inferSelect, 'request'>;

export class PgWebhookDeliveryLists implements WebhookDeliveryLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async page(viewer: Actor, { ruleId, state, before }: DeliveryFilter, limit: number): Promise<ListedDelivery[]> {
    const rows = await this.#rows()
      .where(
        and(
          ofViewer(viewer),
          seenBy(viewer),
          ruleId === null ? undefined : eq(webhookDeliveries.ruleId, ruleId),
          state === null ? undefined : eq(webhookDeliveries.state, state),
          before === null
            ? undefined
            : sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (
                select earlier.created_at, earlier.id from ${webhookDeliveries} earlier where earlier.id = ${before}::uuid)`,
        ),
      )
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(limit);
    const ids = rows.map(({ delivery }) => delivery.id);
    const { request: _, ...columns } = getTableColumns(webhookAttempts);
    const attempts =
      ids.length === 0
        ? []
        : await this.#db
            .select(columns)
            .from(webhookAttempts)
            .where(sql`${webhookAttempts.deliveryId} = any(${anArray('uuid', ids)})`)
            .orderBy(asc(webhookAttempts.attempt));
    return rows.map((row) =>
      listed(
        row,
        attempts.filter(({ deliveryId }) => deliveryId === row.delivery.id),
      ),
    );
  }

  async get(viewer: Actor, id: string): Promise<ShownDelivery | null> {
    const [row] = await this.#rows().where(and(ofViewer(viewer), seenBy(viewer), eq(webhookDeliveries.id, id)));
    if (!row) return null;
    const attempts = await this.#db
      .select()
      .from(webhookAttempts)
      .where(eq(webhookAttempts.deliveryId, id))
      .orderBy(asc(webhookAttempts.attempt));
    const requests = attempts.flatMap(({ attempt, request }) => (request ? [[attempt, request] as const] : []));
    return { ...listed(row, attempts), requests: new Map(requests) };
  }

  async rule(viewer: Actor, id: number): Promise<ToldRule | null> {
    if (viewer.kind === 'anonymous') return null;
    const own = eq(alertRules.ownerId, viewer.userId);
    const [row] = await this.#db
      .select({ id: alertRules.id, url: alertRules.webhookUrl, isEnabled: alertRules.webhookEnabled })
      .from(alertRules)
      .where(and(eq(alertRules.id, id), hasRole(viewer, 'admin') ? undefined : own));
    return row ? { id: row.id, hasUrl: row.url !== null, isEnabled: row.isEnabled } : null;
  }

  #rows() {
    return this.#db
      .select({ delivery: webhookDeliveries, rule: { id: alertRules.id, name: alertRules.name } })
      .from(webhookDeliveries)
      .innerJoin(alertRules, eq(alertRules.id, webhookDeliveries.ruleId))
      .leftJoin(jobs, eq(jobs.id, webhookDeliveries.jobId))
      .$dynamic();
  }
}

function ofViewer(viewer: Actor): SQL | undefined {
  if (viewer.kind === 'anonymous') return sql`false`;
  const own = eq(alertRules.ownerId, viewer.userId);
  return hasRole(viewer, 'admin') ? or(own, isNull(alertRules.ownerId)) : own;
}

function seenBy(viewer: Actor): SQL | undefined {
  const visible = visibleTo(viewer);
  return visible && or(isNull(webhookDeliveries.jobId), visible);
}

function listed(
  { delivery, rule }: { delivery: typeof webhookDeliveries.$inferSelect; rule: { id: number; name: string } },
  attempts: readonly Attempt[],
): ListedDelivery {
  const { id, jobId, event, matchCount, state, createdAt } = delivery;
  return {
    id,
    rule,
    jobId,
    event,
    matchCount,
    state,
    createdAt,
    attempts: attempts.map(
      ({ attempt, createdAt: at, ok, statusCode, errorMessage: error, durationMs, nextAttemptAt }) => ({
        attempt,
        at,
        ok,
        statusCode,
        error,
        durationMs,
        nextAttemptAt,
      }),
    ),
  };
}
