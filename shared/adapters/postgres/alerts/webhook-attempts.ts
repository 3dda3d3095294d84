import type {
  AttemptKey,
  BegunAttempt,
  EndedAttempt,
  WatchedEvent,
  WebhookAttempts,
} from '@svc/application/alerts/webhook-attempts.ts';
import type { WatchedEventKey } from '@svc/application/alerts/webhook-delivery-repository.ts';
import { webhookLimits, type WebhookRequest } from '@svc/domain';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import {
  accounts,
  alertRules,
  entities,
  jobWatches,
  watchEvents,
  webhookAttempts,
  webhookDeliveries,
} from '../schema/index.ts';
import { fitting } from '../text.ts';
import { alertRuleOf } from './alert-rule-rows.ts';

const unknown = 'It is not known how this attempt went: the process that made it ended';

/** What `toRow` of the deliveries has kept, as JSON has it. */
interface Facts {
  readonly entityIds?: readonly number[];
  readonly events?: readonly WatchedEventKey[];
}

export class PgWebhookAttempts implements WebhookAttempts {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  begin({ deliveryId, attempt }: AttemptKey, at: Date, until: Date): Promise<BegunAttempt | null> {
    return this.#db.transaction(async (tx) => {
      const [delivery] = await tx
        .update(webhookDeliveries)
        .set({ attempts: attempt, dueAt: until })
        .where(
          and(
            eq(webhookDeliveries.id, deliveryId),
            eq(webhookDeliveries.state, 'queued'),
            eq(webhookDeliveries.attempts, attempt - 1),
          ),
        )
        .returning();
      if (!delivery) return null;
      await tx
        .update(webhookAttempts)
        .set({ ok: false, errorMessage: unknown })
        .where(
          and(
            eq(webhookAttempts.deliveryId, deliveryId),
            lt(webhookAttempts.attempt, attempt),
            isNull(webhookAttempts.ok),
          ),
        );
      await tx.insert(webhookAttempts).values({ deliveryId, attempt, createdAt: at });
      return begunOf(tx, delivery, attempt);
    });
  }

  async sending({ deliveryId, attempt }: AttemptKey, request: WebhookRequest): Promise<void> {
    await this.#db.update(webhookAttempts).set({ request }).where(thisOne(deliveryId, attempt));
  }

  end({ deliveryId, attempt }: AttemptKey, how: EndedAttempt): Promise<{ readonly ruleId: number } | null> {
    const { ok, statusCode, error, durationMs, nextAttemptAt } = how;
    return this.#db.transaction(async (tx) => {
      const state = ok ? ('delivered' as const) : nextAttemptAt === null ? ('failed' as const) : ('queued' as const);
      // The delivery first, as whoever begins an attempt has it.
      const [delivery] = await tx
        .update(webhookDeliveries)
        .set({ state, dueAt: nextAttemptAt })
        .where(
          and(
            eq(webhookDeliveries.id, deliveryId),
            eq(webhookDeliveries.state, 'queued'),
            eq(webhookDeliveries.attempts, attempt),
          ),
        )
        .returning({ ruleId: webhookDeliveries.ruleId });
      if (!delivery) return null;
      const errorMessage = error === null ? null : fitting(error, webhookLimits.error);
      await tx
        .update(webhookAttempts)
        .set({ ok, statusCode, errorMessage, durationMs, nextAttemptAt })
        .where(thisOne(deliveryId, attempt));
      return nextAttemptAt === null ? null : delivery;
    });
  }

  async drop({ deliveryId, attempt }: AttemptKey): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const which = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.attempts, attempt));
      if (attempt === 1) {
        await tx.delete(webhookDeliveries).where(which);
        return;
      }
      await tx
        .update(webhookDeliveries)
        .set({
          state: 'failed',
          dueAt: null,
          attempts: attempt - 1,
          attemptsBefore: sql`least(attempts_before, ${attempt - 1}::smallint)`,
        })
        .where(which);
      await tx.delete(webhookAttempts).where(thisOne(deliveryId, attempt));
    });
  }
}

function thisOne(deliveryId: string, attempt: number) {
  return and(eq(webhookAttempts.deliveryId, deliveryId), eq(webhookAttempts.attempt, attempt));
}

async function begunOf(
  db: Database,
  delivery: typeof webhookDeliveries.$inferSelect,
  attempt: number,
): Promise<BegunAttempt> {
  const { event, jobId, matchCount, createdAt, attemptsBefore, ruleId } = delivery;
  const { entityIds = [], events = [] } = delivery.facts as Facts;
  const [found] = await db
    .select({ rule: alertRules, owner: { id: accounts.id, role: accounts.role, isActive: accounts.isActive } })
    .from(alertRules)
    .leftJoin(accounts, eq(accounts.id, alertRules.ownerId))
    .where(eq(alertRules.id, ruleId));
  const rows =
    entityIds.length === 0
      ? []
      : await db
          .select({ id: entities.id, value: entities.value, type: entities.type })
          .from(entities)
          .where(sql`${entities.id} = any(${anArray('integer', entityIds)})`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  // Its delivery would be gone with it, and is held.
  const { rule, owner } = found!;
  return {
    event,
    jobId,
    matchCount,
    createdAt,
    sinceAsked: attempt - attemptsBefore,
    entities: entityIds.flatMap((id) => byId.get(id) ?? []),
    events: owner && jobId !== null ? await watched(db, { userId: owner.id, jobId, events }) : [],
    rule: alertRuleOf(rule),
    sealedSecret: rule.sealedSecret,
    owner,
  };
}

interface Watched {
  readonly userId: string;
  readonly jobId: number;
  readonly events: readonly WatchedEventKey[];
}

async function watched(db: Database, { userId, jobId, events }: Watched): Promise<readonly WatchedEvent[]> {
  if (events.length === 0) return [];
  const rows = await db
    .select({
      kind: watchEvents.kind,
      refId: watchEvents.refId,
      summary: watchEvents.summary,
      at: watchEvents.createdAt,
    })
    .from(watchEvents)
    .innerJoin(jobWatches, eq(jobWatches.id, watchEvents.watchId))
    .where(
      and(
        eq(jobWatches.userId, userId),
        eq(jobWatches.jobId, jobId),
        sql`${watchEvents.refId} = any(${anArray(
          'integer',
          events.map(({ refId }) => refId),
        )})`,
      ),
    )
    .orderBy(watchEvents.id);
  const named = new Set(events.map(({ kind, refId }) => `${kind} ${refId}`));
  return rows.filter(({ kind, refId }) => named.has(`${kind} ${refId}`));
}
