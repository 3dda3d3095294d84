import type { SettingsStore } from '@svc/application/admin/settings-store.ts';
import { siteSettingDefaults, type SiteSettings } from '@svc/domain';
import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { siteSettings } from '../schema/index.ts';

/** Read anew each time, in one query by few rows: nothing to keep in step between processes. */
export class PgSettingsStore implements SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async current(): Promise<SiteSettings> {
    const rows = await this.#db.select({ name: siteSettings.name, value: siteSettings.value }).from(siteSettings);
    // A newer release may have left names that this one does not know.
    const known = rows.filter(({ name }) => name in siteSettingDefaults);
    return { ...siteSettingDefaults, ...Object.fromEntries(known.map(({ name, value }) => [name, value])) };
  }

  async change(changes: Partial<SiteSettings>): Promise<SiteSettings> {
    const rows = Object.entries(changes)
      .map(([name, value]) => ({ name, value: sql`${JSON.stringify(value)}::jsonb` }))
      // Two who save at once take the rows in one order, and so do not wait for each other.
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (rows.length > 0) {
      await this.#db
        .insert(siteSettings)
        .values(rows)
        .onConflictDoUpdate({ target: siteSettings.name, set: { value: sql`excluded.value` } });
    }
    return this.current();
  }
}
