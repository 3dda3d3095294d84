import type { EngineSeen, EngineSetting, EngineSettings } from '@svc/application/admin/engines/engine-settings.ts';
import type { ExternalEngine } from '@svc/domain';
import type { Database } from '../database.ts';
import { detectionEngines } from '../schema/index.ts';
import { storableText } from '../text.ts';

/** Read anew each time: four rows at most. */
export class PgEngineSettings implements EngineSettings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(): Promise<ReadonlyMap<ExternalEngine, EngineSetting & { readonly seen: EngineSeen | null }>> {
    const rows = await this.#db.select().from(detectionEngines);
    return new Map(
      rows.map(({ name, enabled, program, found, foundAt: at, foundOn: on, foundLog: log }) => {
        const seen = found && at ? { found, at, on: on ?? '', log: log ?? '' } : null;
        return [name, { enabled, program, seen }] as const;
      }),
    );
  }

  async change(name: ExternalEngine, { enabled, program }: Partial<EngineSetting>): Promise<void> {
    const change = {
      ...(enabled !== undefined && { enabled }),
      ...(program !== undefined && { program, found: null, foundAt: null, foundOn: null, foundLog: null }),
    };
    if (Object.keys(change).length > 0) await this.#set(name, change);
  }

  async noteSeen(name: ExternalEngine, { found, at, on, log }: EngineSeen): Promise<void> {
    await this.#set(name, { found, foundAt: at, foundOn: storableText(on), foundLog: storableText(log) });
  }

  async #set(name: ExternalEngine, change: Partial<typeof detectionEngines.$inferInsert>): Promise<void> {
    await this.#db
      .insert(detectionEngines)
      .values({ ...change, name })
      .onConflictDoUpdate({ target: detectionEngines.name, set: change });
  }
}
