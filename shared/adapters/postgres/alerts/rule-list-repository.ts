import type {
  ListFetch,
  ListSize,
  ListUser,
  RuleListChange,
  RuleListDefinition,
  RuleListRepository,
} from '@svc/application/alerts/rule-list-repository.ts';
import type { RuleList } from '@svc/domain';
import { and, asc, eq, gt, ilike, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { alertRules, ruleLists } from '../schema/index.ts';
import { storableText } from '../text.ts';

export class PgRuleListRepository implements RuleListRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Promise<RuleList[]> {
    return this.#db.select().from(ruleLists).orderBy(asc(ruleLists.name));
  }

  sizes(): Promise<ListSize[]> {
    const { name, match, values } = ruleLists;
    return this.#db
      .select({ name, match, count: sql<number>`cardinality(${values})` })
      .from(ruleLists)
      .orderBy(asc(name));
  }

  async get(id: number): Promise<RuleList | null> {
    const [row] = await this.#db.select().from(ruleLists).where(eq(ruleLists.id, id));
    return row ?? null;
  }

  async named(names: readonly string[]): Promise<RuleList[]> {
    if (names.length === 0) return [];
    return this.#db
      .select()
      .from(ruleLists)
      .where(inArray(ruleLists.name, [...names]))
      .orderBy(asc(ruleLists.name));
  }

  due(now: Date): Promise<RuleList[]> {
    const age = sql`make_interval(hours => ${ruleLists.refreshHours})`;
    const isOld = lte(ruleLists.lastFetchedAt, sql`${now.toISOString()}::timestamptz - ${age}`);
    return this.#db
      .select()
      .from(ruleLists)
      .where(
        and(isNotNull(ruleLists.sourceUrl), gt(ruleLists.refreshHours, 0), or(isNull(ruleLists.lastFetchedAt), isOld)),
      )
      .orderBy(sql`${ruleLists.lastFetchedAt} asc nulls first`, asc(ruleLists.id));
  }

  async add(
    { values, seedHash = null, ...list }: RuleListDefinition & { readonly seedHash?: string | null },
    at: Date,
  ): Promise<RuleList | null> {
    const [row] = await this.#db
      .insert(ruleLists)
      .values({ ...list, values: values.map(storableText), seedHash, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning();
    return row ?? null;
  }

  async change(id: number, { values, ...changes }: RuleListChange, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(ruleLists)
      .set({ ...changes, ...(values && { values: values.map(storableText) }), updatedAt: at })
      .where(eq(ruleLists.id, id))
      .returning({ id: ruleLists.id });
    return rows.length > 0;
  }

  async fetched({ id, sourceUrl }: Pick<RuleList, 'id' | 'sourceUrl'>, fetch: ListFetch): Promise<boolean> {
    if (sourceUrl === null) return false;
    const { at, error, found } = fetch;
    const rows = await this.#db
      .update(ruleLists)
      .set({
        lastFetchedAt: at,
        lastFetchOk: error === null,
        lastFetchError: error,
        ...(found && {
          values: found.values.map(storableText),
          sourceEtag: found.etag,
          seedHash: null,
          updatedAt: at,
        }),
      })
      .where(and(eq(ruleLists.id, id), eq(ruleLists.sourceUrl, sourceUrl)))
      .returning({ id: ruleLists.id });
    return rows.length > 0;
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(ruleLists).where(eq(ruleLists.id, id));
  }

  users(): Promise<ListUser[]> {
    const { id: ruleId, name, ownerId, query } = alertRules;
    return this.#db
      .select({ ruleId, name, ownerId, query })
      .from(alertRules)
      .where(and(eq(alertRules.scope, 'entity'), ilike(alertRules.query, '%list:%')))
      .orderBy(asc(alertRules.createdAt), asc(alertRules.id));
  }
}
