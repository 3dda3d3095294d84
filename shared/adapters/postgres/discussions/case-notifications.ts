import type { CaseComment, CaseNotifications } from '@svc/application/discussions/case-notifications.ts';
import type { Notification } from '@svc/application/discussions/notification-source.ts';
import { watchLimits, type Actor } from '@svc/domain';
import { and, count, desc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, caseCollaborators, caseNotifications, cases, comments } from '../schema/index.ts';
import { fitting } from '../text.ts';
import { caseVisibleTo } from '../visible.ts';

const waiting = isNull(caseNotifications.acknowledgedAt);

export class PgCaseNotifications implements CaseNotifications {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async unread(viewer: Actor): Promise<number> {
    const [row] = await this.#db
      .select({ total: count() })
      .from(caseNotifications)
      .innerJoin(cases, eq(cases.id, caseNotifications.caseId))
      .where(waitingFor(viewer));
    return row?.total ?? 0;
  }

  async newest(viewer: Actor, limit: number): Promise<Notification[]> {
    const rows = await this.#db
      .select({
        id: caseNotifications.id,
        at: caseNotifications.createdAt,
        case: { id: cases.id, name: cases.name },
        refId: caseNotifications.commentId,
        summary: caseNotifications.summary,
      })
      .from(caseNotifications)
      .innerJoin(cases, eq(cases.id, caseNotifications.caseId))
      .where(waitingFor(viewer))
      .orderBy(desc(caseNotifications.createdAt), desc(caseNotifications.id))
      .limit(limit);
    return rows.map(({ refId, summary, ...row }) => ({
      stream: 'case',
      ...row,
      event: { kind: 'comment', refId, summary },
    }));
  }

  async acknowledge(userId: string, id: number | null, at: Date): Promise<number> {
    const acknowledged = await this.#db
      .update(caseNotifications)
      .set({ acknowledgedAt: sql`coalesce(${caseNotifications.acknowledgedAt}, ${at.toISOString()})` })
      .where(and(eq(caseNotifications.accountId, userId), id === null ? waiting : eq(caseNotifications.id, id)))
      .returning({ id: caseNotifications.id });
    return acknowledged.length;
  }

  async restore(userId: string, acknowledgedAt: Date): Promise<void> {
    await this.#db
      .update(caseNotifications)
      .set({ acknowledgedAt: null })
      .where(and(eq(caseNotifications.accountId, userId), eq(caseNotifications.acknowledgedAt, acknowledgedAt)));
  }

  async raise({ caseId, commentId, summary, by, at }: CaseComment): Promise<void> {
    const namedOnIt = sql`exists (select from ${caseCollaborators}
      where ${caseCollaborators.caseId} = ${cases.id} and ${caseCollaborators.accountId} = ${accounts.id})`;
    const saidSomething = sql`exists (select from ${comments} where ${comments.caseId} = ${cases.id}
      and ${comments.authorId} = ${accounts.id} and ${comments.id} < ${commentId}::integer and ${comments.deletedAt} is null)`;
    await this.#db.execute(sql`insert into ${caseNotifications} (account_id, case_id, comment_id, summary, created_at)
      select ${accounts.id}, ${cases.id}, ${commentId}::integer, ${fitting(summary, watchLimits.summary)},
        ${at.toISOString()}::timestamptz
      from ${cases} join ${accounts} on ${accounts.isActive} and ${accounts.role} in ('member', 'admin')
        and ${accounts.id} is distinct from ${by}::uuid
      where ${cases.id} = ${caseId}::integer
        and (${cases.ownerId} = ${accounts.id} or ${namedOnIt} or ${saidSomething})
        and (${cases.isShared} or ${accounts.role} = 'admin' or ${cases.ownerId} = ${accounts.id} or ${namedOnIt})
      order by ${accounts.id} limit ${watchLimits.perEvent}
      on conflict do nothing`);
  }

  async reword(commentId: number, summary: string): Promise<void> {
    await this.#db
      .update(caseNotifications)
      .set({ summary: fitting(summary, watchLimits.summary) })
      .where(eq(caseNotifications.commentId, commentId));
  }

  async withdraw(commentId: number): Promise<void> {
    await this.#db.delete(caseNotifications).where(eq(caseNotifications.commentId, commentId));
  }
}

function waitingFor(viewer: Actor): SQL | undefined {
  if (viewer.kind === 'anonymous') return sql`false`;
  return and(eq(caseNotifications.accountId, viewer.userId), waiting, caseVisibleTo(viewer));
}
