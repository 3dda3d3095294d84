import type { EntityType } from '@svc/domain';
import { inArray, sql, type SQL } from 'drizzle-orm';
import { unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { entityTotals } from '../schema/index.ts';

/** How many entities there are, of these types or of all: exact, and read from a few rows. */
export function entityTotal(types?: readonly EntityType[]): SQL<number> {
  const isOne = types === undefined ? sql`true` : inArray(entityTotals.type, [...types]);
  return sql`(select coalesce(sum(${entityTotals.many}), 0)::bigint from ${entityTotals} where ${isOne})`;
}

/** Notes entities of these types as made, and of those as gone, in the transaction that does it. */
export async function changeTotals(
  tx: Database,
  { made, gone }: { readonly made: readonly EntityType[]; readonly gone: readonly EntityType[] },
): Promise<void> {
  const changes = new Map<EntityType, number>();
  for (const type of made) changes.set(type, (changes.get(type) ?? 0) + 1);
  for (const type of gone) changes.set(type, (changes.get(type) ?? 0) - 1);
  if (changes.size === 0) return;
  const given = unnested(['text', [...changes.keys()]], ['integer', [...changes.values()]]);
  await tx.execute(sql`
    with free as (select id from ${entityTotals} for update skip locked),
    taken as (delete from ${entityTotals} t using free where t.id = free.id returning t.type, t.many)
    insert into ${entityTotals} (type, many)
    select type, sum(many) from (select type, many from taken union all select type, many from ${given} as given(type, many)) as n
    group by type having sum(many) <> 0 order by type`);
}
