import {
  hashOfList,
  hashOfRule,
  type ShippedList,
  type ShippedRule,
  type ShippedRules,
  type ShippedRuleStore,
} from '@svc/application/alerts/shipped-rules.ts';
import { parseEntitySearch, type AlertRuleDefinition } from '@svc/domain';
import { and, eq, inArray, isNull, max, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { alertRules, alertRuleVersions, ruleLists } from '../schema/index.ts';
import { alertRuleOf } from './alert-rule-rows.ts';

export class PgShippedRuleStore implements ShippedRuleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async seed({ lists, rules, problems }: ShippedRules, at: Date): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // Processes that start at the same time take turns; readers need not.
      await tx.execute(sql`lock table ${ruleLists}, ${alertRules} in share row exclusive mode`);
      const storedLists = await tx.select().from(ruleLists);
      const stored = await tx.select().from(alertRules).where(isNull(alertRules.ownerId));
      for (const list of lists)
        await seedList(
          tx,
          list,
          storedLists.find(({ name }) => name === list.name),
          at,
        );
      for (const rule of rules)
        await seedRule(
          tx,
          rule,
          stored.find(({ key }) => key === rule.key),
          at,
        );
      if (problems.length > 0) return;
      const gone = stored.filter((row) => isUnedited(row) && !rules.some(({ key }) => key === row.key));
      await tx.delete(alertRules).where(
        inArray(
          alertRules.id,
          gone.map(({ id }) => id),
        ),
      );
      const used = await listsInUse(tx);
      const goneLists = storedLists.filter(
        (list) =>
          list.seedHash === hashOfList(list) && !lists.some(({ name }) => name === list.name) && !used.has(list.name),
      );
      await tx.delete(ruleLists).where(
        inArray(
          ruleLists.id,
          goneLists.map(({ id }) => id),
        ),
      );
    });
  }
}

type RuleRow = typeof alertRules.$inferSelect;

function isUnedited(row: RuleRow): boolean {
  return row.seedHash !== null && row.seedHash === hashOfRule(alertRuleOf(row));
}

async function seedList(
  tx: Database,
  { name, match, description, values }: ShippedList,
  row: typeof ruleLists.$inferSelect | undefined,
  at: Date,
): Promise<void> {
  const seedHash = hashOfList({ name, match, description, values });
  const content = { match, description, values: [...values], seedHash, updatedAt: at };
  if (row === undefined) {
    await tx.insert(ruleLists).values({ name, ...content, refreshHours: 0, createdAt: at });
    return;
  }
  const own = hashOfList(row);
  const isOurs = row.seedHash === null ? own === seedHash : row.seedHash === own;
  if (row.seedHash !== seedHash && isOurs) await tx.update(ruleLists).set(content).where(eq(ruleLists.id, row.id));
}

async function seedRule(
  tx: Database,
  { key, definition, enabled }: ShippedRule,
  row: RuleRow | undefined,
  at: Date,
): Promise<void> {
  const seedHash = hashOfRule(definition);
  const { webhook, ...rest } = definition;
  const content = {
    ...rest,
    entityTypes: [...definition.entityTypes],
    webhookUrl: webhook.url,
    webhookMethod: webhook.method,
    webhookHeaders: webhook.headers,
    webhookEnabled: webhook.enabled,
    seedHash,
  };
  if (row === undefined) {
    const [made] = await tx
      .insert(alertRules)
      .values({ ...content, key, enabled, createdAt: at, updatedAt: at })
      .returning({ id: alertRules.id });
    await addVersion(tx, made!.id, definition, at);
    return;
  }
  if (row.seedHash === seedHash) return;
  const own = hashOfRule(alertRuleOf(row));
  if (row.seedHash === null) {
    // Somebody has made the same, or has edited it back.
    if (own === seedHash) await tx.update(alertRules).set({ seedHash }).where(eq(alertRules.id, row.id));
  } else if (row.seedHash === own) {
    await tx
      .update(alertRules)
      .set({ ...content, updatedAt: at })
      .where(eq(alertRules.id, row.id));
    await addVersion(tx, row.id, definition, at);
  }
}

async function addVersion(tx: Database, ruleId: number, definition: AlertRuleDefinition, at: Date): Promise<void> {
  const { version } = alertRuleVersions;
  const [last] = await tx
    .select({ version: max(version) })
    .from(alertRuleVersions)
    .where(eq(alertRuleVersions.ruleId, ruleId));
  await tx
    .insert(alertRuleVersions)
    .values({ ruleId, version: (last?.version ?? 0) + 1, definition, changedBy: null, changedAt: at });
}

/** Names of the lists for which any rule asks. */
async function listsInUse(tx: Database): Promise<ReadonlySet<string>> {
  const naming = and(eq(alertRules.scope, 'entity'), sql`${alertRules.query} ilike '%list:%'`);
  const rows = await tx.select({ query: alertRules.query }).from(alertRules).where(naming);
  const conditions = rows.flatMap(({ query }) => parseEntitySearch(query).terms.map(({ condition }) => condition));
  return new Set(conditions.flatMap((condition) => (condition?.key === 'list' ? [condition.name] : [])));
}
