import type { NewSuppression, SuppressionRepository } from '@svc/application/report/suppression-repository.ts';
import { publicName, type Suppression } from '@svc/domain';
import { and, asc, desc, eq, isNull, lt, lte, notExists, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { accounts, suppressedFindings, suppressions } from '../schema/index.ts';
import { storableJson, storableText } from '../text.ts';

export class PgSuppressionRepository implements SuppressionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(caseId: number | null): Promise<readonly Suppression[]> {
    const of = caseId === null ? isNull(suppressions.caseId) : eq(suppressions.caseId, caseId);
    return suppressionsWhere(this.#db, of, desc(suppressions.id));
  }

  async get(id: number): Promise<Suppression | null> {
    const [found] = await suppressionsWhere(this.#db, eq(suppressions.id, id));
    return found ?? null;
  }

  async add({ conditions, reason, ruleName, ...rest }: NewSuppression): Promise<number> {
    const row = {
      ...rest,
      conditions: storableJson(conditions),
      reason: storableText(reason),
      ruleName: storableText(ruleName),
    };
    const [added] = await insertRows(this.#db, suppressions, [row]).returning({ id: suppressions.id });
    return added!.id;
  }

  async remove(id: number, at: Date): Promise<boolean> {
    const removed = await this.#db
      .update(suppressions)
      .set({ removedAt: at, appliedAt: null })
      .where(and(eq(suppressions.id, id), isNull(suppressions.removedAt)))
      .returning({ id: suppressions.id });
    return removed.length > 0;
  }

  async settle({ id, removedAt }: Pick<Suppression, 'id' | 'removedAt'>, at: Date): Promise<void> {
    if (removedAt === null) {
      const isAsItWas = and(eq(suppressions.id, id), isNull(suppressions.removedAt));
      await this.#db.update(suppressions).set({ appliedAt: at }).where(isAsItWas);
      return;
    }
    await this.#db.transaction(async (tx) => {
      // A job may be marking by it as it was a moment ago: held first, so that what is looked for then is all there is.
      await tx.select({ id: suppressions.id }).from(suppressions).where(eq(suppressions.id, id)).for('update');
      const marks = tx.select().from(suppressedFindings).where(eq(suppressedFindings.suppressionId, id));
      await tx.delete(suppressions).where(and(eq(suppressions.id, id), notExists(marks)));
    });
  }

  async due(at: Date): Promise<readonly number[]> {
    const hasEnded = and(lte(suppressions.expiresAt, at), lt(suppressions.appliedAt, suppressions.expiresAt));
    const rows = await this.#db
      .select({ id: suppressions.id })
      .from(suppressions)
      .where(or(isNull(suppressions.appliedAt), hasEnded))
      .orderBy(asc(suppressions.id));
    return rows.map(({ id }) => id);
  }
}

/** With their authors. */
export async function suppressionsWhere(
  db: Database,
  which: SQL | undefined,
  ...order: readonly SQL[]
): Promise<Suppression[]> {
  const rows = await db
    .select({
      suppression: suppressions,
      author: { id: accounts.id, email: accounts.email, displayName: accounts.displayName },
    })
    .from(suppressions)
    .leftJoin(accounts, eq(accounts.id, suppressions.authorId))
    .where(which)
    .orderBy(...order);
  return rows.map(({ suppression, author }) => ({
    ...suppression,
    author: author && { id: author.id, name: publicName(author) },
  }));
}
