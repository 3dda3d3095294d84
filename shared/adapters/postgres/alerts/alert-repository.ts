import type { Alert, AlertFilter, AlertRepository } from '@svc/application/alerts/alert-repository.ts';
import type { Notification } from '@svc/application/discussions/notification-source.ts';
import { hasRole, type Actor } from '@svc/domain';
import { and, count, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, alertRules, entities, entityAlerts, jobAlerts, jobs, uploadedFiles } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Alerts of rules on entities, or of those on jobs: the same but for the entity. */
class PgAlertRepository implements AlertRepository {
  readonly #db: Database;
  readonly #table: typeof entityAlerts | typeof jobAlerts;
  readonly #stream: 'rule' | 'jobrule';

  constructor(db: Database, table: typeof entityAlerts | typeof jobAlerts, stream: 'rule' | 'jobrule') {
    this.#db = db;
    this.#table = table;
    this.#stream = stream;
  }

  unread(viewer: Actor): Promise<number> {
    return this.#count(and(this.#isOpen, this.#belongsTo(viewer, false), visibleTo(viewer)));
  }

  async newest(viewer: Actor, limit: number): Promise<Notification[]> {
    const rows = await this.#select(and(this.#isOpen, this.#belongsTo(viewer, false), visibleTo(viewer)), limit);
    return rows.map(({ id, at, jobId, fileName, sha256, rule, entity }) => ({
      stream: this.#stream,
      id,
      at,
      jobId,
      fileName,
      sha256,
      rule: { id: rule.id, name: rule.name },
      ...(entity && { entity }),
    }));
  }

  async list(
    viewer: Actor,
    { ruleId, entityId, isOpen, ofEverybody, limit }: AlertFilter,
  ): Promise<{ total: number; alerts: Alert[] }> {
    const where = and(
      isOpen ? this.#isOpen : undefined,
      ruleId === null ? undefined : eq(this.#table.ruleId, ruleId),
      entityId === null ? undefined : this.#isOf(entityId),
      this.#belongsTo(viewer, ofEverybody),
      visibleTo(viewer),
    );
    return { total: await this.#count(where), alerts: await this.#select(where, limit) };
  }

  async get(viewer: Actor, id: number): Promise<Alert | null> {
    const where = and(eq(this.#table.id, id), this.#belongsTo(viewer, true), visibleTo(viewer));
    return (await this.#select(where, 1))[0] ?? null;
  }

  async acknowledgeOne(viewer: Actor, id: number, at: Date): Promise<boolean> {
    if (viewer.kind === 'anonymous' || (await this.get(viewer, id)) === null) return false;
    return (await this.#acknowledge(viewer.userId, eq(this.#table.id, id), at)) > 0;
  }

  acknowledge(userId: string, id: number | null, at: Date): Promise<number> {
    const own = this.#db
      .select({ id: alertRules.id })
      .from(alertRules)
      .where(
        or(
          eq(alertRules.ownerId, userId),
          and(
            isNull(alertRules.ownerId),
            sql`exists (select from ${accounts} where ${accounts.id} = ${userId}::uuid and ${accounts.role} = 'admin')`,
          ),
        ),
      );
    const which = id === null ? this.#isOpen : eq(this.#table.id, id);
    return this.#acknowledge(userId, and(inArray(this.#table.ruleId, own), which), at);
  }

  async restore(userId: string, acknowledgedAt: Date): Promise<void> {
    await this.#db
      .update(this.#table)
      .set({ acknowledgedAt: null, acknowledgedBy: null })
      .where(and(eq(this.#table.acknowledgedBy, userId), eq(this.#table.acknowledgedAt, acknowledgedAt)));
  }

  get #isOpen(): SQL {
    return isNull(this.#table.acknowledgedAt);
  }

  #isOf(entityId: number): SQL {
    return this.#table === entityAlerts ? eq(entityAlerts.entityId, entityId) : sql`false`;
  }

  #belongsTo(viewer: Actor, ofEverybody: boolean): SQL | undefined {
    if (viewer.kind === 'anonymous') return sql`false`;
    if (!hasRole(viewer, 'admin')) return eq(alertRules.ownerId, viewer.userId);
    return ofEverybody ? undefined : or(eq(alertRules.ownerId, viewer.userId), isNull(alertRules.ownerId));
  }

  async #count(where: SQL | undefined): Promise<number> {
    const [row] = await this.#db
      .select({ total: count() })
      .from(this.#table)
      .innerJoin(alertRules, eq(alertRules.id, this.#table.ruleId))
      .innerJoin(jobs, eq(jobs.id, this.#table.jobId))
      .where(where);
    return row?.total ?? 0;
  }

  async #select(where: SQL | undefined, limit: number): Promise<Alert[]> {
    const table = this.#table;
    const entityOf = table === entityAlerts ? eq(entities.id, entityAlerts.entityId) : sql`false`;
    const { id: ruleId, name, scope, query, ownerId, updatedAt } = alertRules;
    return this.#db
      .select({
        id: table.id,
        at: table.createdAt,
        acknowledgedAt: table.acknowledgedAt,
        acknowledgedBy: table.acknowledgedBy,
        rule: { id: ruleId, name, scope, query, ownerId, ownerEmail: accounts.email, updatedAt },
        jobId: jobs.id,
        fileName: jobs.submittedName,
        sha256: uploadedFiles.sha256,
        entity: { id: entities.id, type: entities.type, value: entities.value },
      })
      .from(table)
      .innerJoin(alertRules, eq(alertRules.id, table.ruleId))
      .innerJoin(jobs, eq(jobs.id, table.jobId))
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .leftJoin(accounts, eq(accounts.id, alertRules.ownerId))
      .leftJoin(entities, entityOf)
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(limit);
  }

  async #acknowledge(userId: string, which: SQL | undefined, at: Date): Promise<number> {
    const table = this.#table;
    const acknowledged = await this.#db
      .update(table)
      .set({
        acknowledgedAt: sql`coalesce(${table.acknowledgedAt}, ${at.toISOString()}::timestamptz)`,
        acknowledgedBy: sql`case when ${table.acknowledgedAt} is null then ${userId}::uuid else ${table.acknowledgedBy} end`,
      })
      .where(which)
      .returning({ id: table.id });
    return acknowledged.length;
  }
}

export class PgEntityAlerts extends PgAlertRepository {
  constructor(db: Database) {
    super(db, entityAlerts, 'rule');
  }
}

export class PgJobAlerts extends PgAlertRepository {
  constructor(db: Database) {
    super(db, jobAlerts, 'jobrule');
  }
}
