import type { RuleArtifact, RuleArtifacts } from '@svc/application/rules/rule-artifacts.ts';
import { eq, lt } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { ruleArtifacts } from '../schema/index.ts';

const columns = {
  digest: ruleArtifacts.digest,
  storageKey: ruleArtifacts.storageKey,
  loaded: ruleArtifacts.loaded,
};

export class PgRuleArtifacts implements RuleArtifacts {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(digest: string): Promise<RuleArtifact | null> {
    const [row] = await this.#db.select(columns).from(ruleArtifacts).where(eq(ruleArtifacts.digest, digest));
    return row ?? null;
  }

  async add(artifact: RuleArtifact, at: Date): Promise<RuleArtifact> {
    await this.#db
      .insert(ruleArtifacts)
      .values({ ...artifact, createdAt: at })
      .onConflictDoNothing();
    return (await this.find(artifact.digest)) ?? artifact;
  }

  async remove(digest: string): Promise<void> {
    await this.#db.delete(ruleArtifacts).where(eq(ruleArtifacts.digest, digest));
  }

  async removeOld(before: Date): Promise<readonly RuleArtifact[]> {
    return this.#db.delete(ruleArtifacts).where(lt(ruleArtifacts.createdAt, before)).returning(columns);
  }
}
