import type {
  AlertRuleChange,
  AlertRuleRepository,
  AlertRuleVersion,
  NewAlertRule,
  OwnedAlertRule,
} from '@svc/application/alerts/alert-rule-repository.ts';
import { alertRuleLimits, AppError, type AlertRuleDefinition } from '@svc/domain';
import { and, asc, count, desc, eq, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { accounts, alertRules, alertRuleVersions, entities } from '../schema/index.ts';
import { storableJson } from '../text.ts';
import { alertRuleOf } from './alert-rule-rows.ts';
import { watchEntities } from './watch-entities.ts';

const who = { email: accounts.email, displayName: accounts.displayName };

export class PgAlertRuleRepository implements AlertRuleRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: number): Promise<OwnedAlertRule | null> {
    const [rule] = await this.#found(eq(alertRules.id, id));
    return rule ?? null;
  }

  async readable({
    userId,
    isAdmin,
  }: {
    readonly userId: string;
    readonly isAdmin: boolean;
  }): Promise<OwnedAlertRule[]> {
    return this.#found(isAdmin ? undefined : or(eq(alertRules.ownerId, userId), isNull(alertRules.ownerId)));
  }

  async sharedInForce(): Promise<OwnedAlertRule[]> {
    return this.#found(and(isNull(alertRules.ownerId), eq(alertRules.enabled, true)));
  }

  async countOwn(ownerId: string): Promise<number> {
    // Two at once take turns, so that neither passes the limit.
    await this.#db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, ownerId)).for('no key update');
    const [row] = await this.#db.select({ many: count() }).from(alertRules).where(eq(alertRules.ownerId, ownerId));
    return row?.many ?? 0;
  }

  async starred(ownerId: string, entityIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#db
      .select({ id: alertRules.autoEntityId })
      .from(alertRules)
      .where(and(eq(alertRules.ownerId, ownerId), inArray(alertRules.autoEntityId, [...entityIds])));
    return new Set(rows.map(({ id }) => id!));
  }

  async ofStar(ownerId: string, entityId: number): Promise<number | null> {
    const [row] = await this.#db
      .select({ id: alertRules.id })
      .from(alertRules)
      .where(and(eq(alertRules.autoEntityId, entityId), eq(alertRules.ownerId, ownerId)));
    return row?.id ?? null;
  }

  async insert(rule: NewAlertRule): Promise<number> {
    const { ownerId, key, enabled, autoEntityId = null, seedHash = null, by, at } = rule;
    const definition = storableJson(rule.definition);
    await this.#takeWatches(ownerId, definition, null);
    const [row] = await this.#db
      .insert(alertRules)
      .values({ ...rowOf(definition), ownerId, key, enabled, autoEntityId, seedHash, createdAt: at, updatedAt: at })
      .returning({ id: alertRules.id })
      .catch(keyTaken);
    await this.#db
      .insert(alertRuleVersions)
      .values({ ruleId: row!.id, version: 1, definition, changedBy: by, changedAt: at });
    if (autoEntityId !== null) await watchEntities(this.#db, sql`${autoEntityId}::integer`);
    return row!.id;
  }

  async change(id: number, { definition: given, seedHash, by, at }: AlertRuleChange): Promise<void> {
    const definition = storableJson(given);
    const [before] = await this.#db.select().from(alertRules).where(eq(alertRules.id, id)).for('update');
    if (before === undefined) return;
    await this.#takeWatches(before.ownerId, definition, id);
    await this.#db
      .update(alertRules)
      .set({ ...rowOf(definition), seedHash, updatedAt: at })
      .where(eq(alertRules.id, id));
    const [last] = await this.#db
      .select({ version: alertRuleVersions.version, definition: alertRuleVersions.definition })
      .from(alertRuleVersions)
      .where(eq(alertRuleVersions.ruleId, id))
      .orderBy(desc(alertRuleVersions.version))
      .limit(1);
    if (last !== undefined && isSame(last.definition, definition)) return;
    const version = (last?.version ?? 0) + 1;
    await this.#db.insert(alertRuleVersions).values({ ruleId: id, version, definition, changedBy: by, changedAt: at });
    await this.#db
      .delete(alertRuleVersions)
      .where(and(eq(alertRuleVersions.ruleId, id), lte(alertRuleVersions.version, version - alertRuleLimits.versions)));
  }

  async keepSecret(id: number, sealed: string | null): Promise<void> {
    await this.#db.update(alertRules).set({ sealedSecret: sealed }).where(eq(alertRules.id, id));
  }

  async sealedSecret(id: number): Promise<string | null> {
    const [row] = await this.#db
      .select({ sealed: alertRules.sealedSecret })
      .from(alertRules)
      .where(eq(alertRules.id, id));
    return row?.sealed ?? null;
  }

  async switch(id: number, enabled: boolean): Promise<void> {
    await this.#db.update(alertRules).set({ enabled }).where(eq(alertRules.id, id));
  }

  async delete(id: number): Promise<void> {
    const [gone] = await this.#db
      .delete(alertRules)
      .where(eq(alertRules.id, id))
      .returning({ starred: alertRules.autoEntityId });
    if (gone !== undefined && gone.starred !== null) await watchEntities(this.#db, sql`${gone.starred}::integer`);
  }

  async versions(id: number): Promise<AlertRuleVersion[]> {
    const rows = await this.#db
      .select({
        version: alertRuleVersions.version,
        definition: alertRuleVersions.definition,
        changedAt: alertRuleVersions.changedAt,
        changedBy: who,
      })
      .from(alertRuleVersions)
      .leftJoin(accounts, eq(accounts.id, alertRuleVersions.changedBy))
      .where(eq(alertRuleVersions.ruleId, id))
      .orderBy(desc(alertRuleVersions.version));
    return rows;
  }

  /** One rule of a person tells of watched jobs: the last that was to. */
  async #takeWatches(ownerId: string | null, { tellsOfWatchedJobs }: AlertRuleDefinition, but: number | null) {
    if (!tellsOfWatchedJobs || ownerId === null) return;
    await this.#db
      .update(alertRules)
      .set({ tellsOfWatchedJobs: false })
      .where(
        and(
          eq(alertRules.ownerId, ownerId),
          alertRules.tellsOfWatchedJobs,
          but === null ? undefined : ne(alertRules.id, but),
        ),
      );
  }

  async #found(where: SQL | undefined): Promise<OwnedAlertRule[]> {
    const rows = await this.#db
      .select({ rule: alertRules, owner: who, starred: { type: entities.type, value: entities.value } })
      .from(alertRules)
      .leftJoin(accounts, eq(accounts.id, alertRules.ownerId))
      .leftJoin(entities, eq(entities.id, alertRules.autoEntityId))
      .where(where)
      .orderBy(asc(alertRules.id));
    return rows.map(({ rule, owner, starred }) => ({ ...alertRuleOf(rule), owner, starred }));
  }
}

function rowOf({ webhook, actionTags, entityTypes, ...definition }: AlertRuleDefinition) {
  return {
    ...definition,
    actionTags: [...actionTags],
    entityTypes: [...entityTypes],
    webhookUrl: webhook.url,
    webhookMethod: webhook.method,
    webhookHeaders: webhook.headers,
    webhookEnabled: webhook.enabled,
    webhookTemplate: webhook.template ?? null,
  };
}

/** Whether two say the same; in a database, an object has its keys in another order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, ordered(one)]),
  );
}

function keyTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw new AppError('conflict', 'There is a shared rule with this key already');
  throw error;
}
