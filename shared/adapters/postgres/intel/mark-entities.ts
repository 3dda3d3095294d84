import { sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { entities, entitySearch } from '../schema/index.ts';
import { flag, named } from '../search/facets.ts';

type Flag = Parameters<typeof flag>[0];

/** Has searches find entities, which are locked, by what is true of them now. */
export async function markEntities(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into ${entitySearch} (entity_id, words, facets)
    select e.id, e.value_key, array[
        ${named('type', sql`e.type`)},
        ${either(sql`e.is_watched`, 'watched', 'unwatched')},
        ${either(sql`e.is_allowlisted`, 'allowlisted', 'unlisted')},
        ${either(sql`e.note is not null`, 'noted', 'unnoted')}
      ]
      || coalesce((select array_agg(${named('attribute', sql`key`)}) from unnest(e.attribute_keys) key),
        array[${one('plain')}])
    from ${entities} e where e.id = any(${anArray('integer', ids)})
    on conflict (entity_id) do update set words = excluded.words, facets = excluded.facets`);
}

function either(condition: SQL, yes: Flag, no: Flag): SQL {
  return sql`case when ${condition} then ${one(yes)} else ${one(no)} end`;
}

function one(name: Flag): SQL {
  return sql.raw(String(flag(name)));
}
