import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { markEntities } from '../intel/mark-entities.ts';
import { rowsOf } from '../rows-of.ts';
import { alertRules, entities } from '../schema/index.ts';

/** Has entities be watched that a rule of a star follows, and no others of these; part of a transaction. */
export async function watchEntities(tx: Database, ids: SQL): Promise<void> {
  const changed = await rowsOf<{ id: number }>(
    tx,
    sql`update ${entities} e set is_watched = not e.is_watched, told_at = case when e.is_watched then e.told_at end
      where e.id in (${ids})
        and e.is_watched <> exists (select 1 from ${alertRules} r where r.auto_entity_id = e.id)
      returning e.id`,
  );
  await markEntities(
    tx,
    changed.map(({ id }) => id),
  );
}
