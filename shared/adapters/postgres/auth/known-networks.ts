import type { KnownNetworks } from '@svc/application/auth/known-networks.ts';
import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { knownNetworks } from '../schema/index.ts';
import { deleteRows } from '../delete-rows.ts';

export class PgKnownNetworks implements KnownNetworks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async has(accountId: string, digest: string, since: Date): Promise<boolean> {
    const rows = await this.#db
      .select({ digest: knownNetworks.digest })
      .from(knownNetworks)
      .where(
        and(
          eq(knownNetworks.accountId, accountId),
          eq(knownNetworks.digest, digest),
          gte(knownNetworks.signedInAt, since),
        ),
      );
    return rows.length > 0;
  }

  async remember(accountId: string, digest: string, at: Date, most: number): Promise<void> {
    const { digest: key, signedInAt } = knownNetworks;
    await this.#db
      .insert(knownNetworks)
      .values({ accountId, digest, signedInAt: at })
      .onConflictDoUpdate({ target: [knownNetworks.accountId, key], set: { signedInAt: at } });
    const ofAccount = eq(knownNetworks.accountId, accountId);
    const surplus = this.#db
      .select({ digest: key })
      .from(knownNetworks)
      .where(ofAccount)
      .orderBy(desc(signedInAt), desc(key))
      .offset(most);
    await this.#db.delete(knownNetworks).where(and(ofAccount, inArray(key, surplus)));
  }

  removeBefore(before: Date): Promise<number> {
    return deleteRows(this.#db, knownNetworks, lt(knownNetworks.signedInAt, before));
  }
}
