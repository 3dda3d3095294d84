import type { Associated } from '@svc/application/intel/entity-links.ts';
import type { EntityType } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, relationships } from '../schema/index.ts';

interface Row {
  /** In what was asked for, from 1. */
  readonly way: number;
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
  readonly occurrences: number;
  readonly total: number;
}

/** The strongest relationships of an entity of each way that is asked for, in its order. */
export async function associatedWith(
  db: Database,
  entityId: number,
  ways: readonly Pick<Associated, 'type' | 'isOut'>[],
  most: number,
): Promise<readonly Associated[]> {
  const asked = unnested(['text', ways.map(({ type }) => type)], ['boolean', ways.map(({ isOut }) => isOut)]);
  const one = (own: 'source_id' | 'target_id', far: 'source_id' | 'target_id') => {
    const mine = sql`r.${sql.raw(own)} = ${entityId} and r.type = way.type`;
    return sql`
      select way.place::integer as way, e.id, e.value, e.type, r.occurrence_count::float8 as occurrences,
        (select count(*)::integer from ${relationships} r where ${mine}) as total
      from asked way cross join lateral (
        select r.${sql.raw(far)} as other, r.occurrence_count from ${relationships} r where ${mine}
        order by r.occurrence_count desc, r.id limit ${most}) r
      join ${entities} e on e.id = r.other where way.is_out = ${own === 'source_id'}`;
  };
  const rows = await rowsOf<Row>(
    db,
    sql`with asked as (select * from ${asked} with ordinality as way(type, is_out, place))
        ${one('source_id', 'target_id')} union all ${one('target_id', 'source_id')}
        order by way, occurrences desc, value`,
  );
  return ways.flatMap((way, place) => {
    const found = rows.filter((row) => row.way === place + 1);
    const [first] = found;
    if (first === undefined) return [];
    const strongest = found.map(({ id, value, type, occurrences }) => ({ other: { id, value, type }, occurrences }));
    return [{ ...way, total: first.total, strongest }];
  });
}
