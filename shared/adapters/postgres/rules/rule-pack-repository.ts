import type { NewPackVersion, PackChange, RulePackRepository } from '@svc/application/rules/rule-pack-repository.ts';
import { AppError, type PackOverride, type RulePack, type RulePackVersion } from '@svc/domain';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { ruleOverrides, rulePacks, rulePackVersions } from '../schema/index.ts';
import { storableText } from '../text.ts';

/** Versions of a pack that are kept, to go back to. */
const keptVersions = 5;

export class PgRulePackRepository implements RulePackRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(): Promise<readonly { readonly pack: RulePack; readonly overrides: readonly PackOverride[] }[]> {
    const inForce = and(eq(rulePackVersions.packName, rulePacks.name), eq(rulePackVersions.inForce, true));
    const rows = await this.#db
      .select({ pack: rulePacks, version: rulePackVersions })
      .from(rulePacks)
      .innerJoin(rulePackVersions, inForce)
      .orderBy(asc(rulePacks.name));
    const overrides = await this.#db.select().from(ruleOverrides).orderBy(asc(ruleOverrides.ruleId));
    return rows.map(({ pack, version }) => ({
      pack: { ...pack, inForce: toVersion(version) },
      overrides: overrides
        .filter(({ packName }) => packName === pack.name)
        .map(({ packName: _name, ...override }) => override),
    }));
  }

  async versions(name: string): Promise<readonly RulePackVersion[]> {
    return (await versionsOf(this.#db, name)).map(toVersion);
  }

  async putInForce(
    { name, url, ...version }: NewPackVersion,
    over?: string | null,
  ): Promise<{ put: boolean; removed: readonly RulePackVersion[] }> {
    return this.#db.transaction(async (tx) => {
      const values = { name, url, checkedAt: version.importedAt, checkError: null };
      // Also makes those who import the same pack at the same time take turns.
      await tx.insert(rulePacks).values(values).onConflictDoUpdate({ target: rulePacks.name, set: values });
      const present = await versionsOf(tx, name);
      if (over !== undefined) requireInForce(present, over);
      const known = present.find(({ digest }) => digest === version.digest);
      if (known?.inForce) return { put: false, removed: [] };
      const of = eq(rulePackVersions.packName, name);
      await tx
        .update(rulePackVersions)
        .set({ inForce: false })
        .where(and(of, eq(rulePackVersions.inForce, true)));
      // The same content again is a version of today; what was kept of it before goes.
      if (known) await tx.delete(rulePackVersions).where(eq(rulePackVersions.id, known.id));
      const { source, licence, ...rest } = version;
      await tx.insert(rulePackVersions).values({
        ...rest,
        packName: name,
        inForce: true,
        version: storableText(version.version),
        source: storableText(source),
        licence: licence === null ? null : storableText(licence),
      });
      const old = (await versionsOf(tx, name)).slice(keptVersions);
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await tx.delete(rulePackVersions).where(inArray(rulePackVersions.id, ids));
      return { put: true, removed: [...(known ? [known] : []), ...old].map(toVersion) };
    });
  }

  async change(name: string, { inForce, checked, ...change }: PackChange): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const set = { ...change, ...(checked && { checkedAt: checked.at, checkError: checked.error }) };
      const named = eq(rulePacks.name, name);
      const found =
        Object.keys(set).length > 0
          ? await tx.update(rulePacks).set(set).where(named).returning({ name: rulePacks.name })
          : await tx.select({ name: rulePacks.name }).from(rulePacks).where(named).for('update');
      if (found.length === 0) return false;
      if (inForce === undefined) return true;
      const versions = await versionsOf(tx, name);
      if (!versions.some(({ id }) => id === inForce)) return false;
      const ofPack = eq(rulePackVersions.packName, name);
      await tx.update(rulePackVersions).set({ inForce: false }).where(ofPack);
      await tx.update(rulePackVersions).set({ inForce: true }).where(eq(rulePackVersions.id, inForce));
      return true;
    });
  }

  async remove(name: string, over?: string): Promise<readonly RulePackVersion[] | null> {
    return this.#db.transaction(async (tx) => {
      const named = eq(rulePacks.name, name);
      // Who imports the same pack now has done so before this, or begins it anew.
      const found = await tx.select({ name: rulePacks.name }).from(rulePacks).where(named).for('update');
      if (found.length === 0) return null;
      const versions = await versionsOf(tx, name);
      if (over !== undefined) requireInForce(versions, over);
      await tx.delete(rulePacks).where(named);
      return versions.map(toVersion);
    });
  }

  async override(name: string, ruleId: string, decision: Omit<PackOverride, 'ruleId'> | null): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const [pack] = await tx.select({ name: rulePacks.name }).from(rulePacks).where(eq(rulePacks.name, name));
      if (!pack) return false;
      if (decision === null) {
        await tx.delete(ruleOverrides).where(and(eq(ruleOverrides.packName, name), eq(ruleOverrides.ruleId, ruleId)));
        return true;
      }
      await tx
        .insert(ruleOverrides)
        .values({ packName: name, ruleId, ...decision })
        .onConflictDoUpdate({ target: [ruleOverrides.packName, ruleOverrides.ruleId], set: { ...decision } });
      return true;
    });
  }
}

type Row = typeof rulePackVersions.$inferSelect;

function requireInForce(present: readonly Row[], over: string | null): void {
  if ((present.find(({ inForce }) => inForce)?.digest ?? null) === over) return;
  throw new AppError('conflict', 'Somebody else has changed this pack meanwhile; look at it and try again');
}

/** Newest first, but the one in force before all. */
function versionsOf(db: Database, name: string): Promise<Row[]> {
  return db
    .select()
    .from(rulePackVersions)
    .where(eq(rulePackVersions.packName, name))
    .orderBy(desc(sql`${rulePackVersions.inForce}`), desc(rulePackVersions.id));
}

function toVersion({ packName: _name, inForce: _inForce, ...version }: Row): RulePackVersion {
  return version;
}
