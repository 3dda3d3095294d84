import type { EntityLinks, ThreatsBeside } from '@svc/application/intel/entity-links.ts';
import { severities, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entityJobLinks, jobs, taskDerivations } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Newest jobs of an entity whose analytics are read. */
const mostJobs = 40;

/** What the heuristics found in the newest visible jobs of an entity, by kind. */
export async function threatsBeside(
  db: Database,
  viewer: Actor,
  { id, value }: { readonly id: number; readonly value: string },
): ReturnType<EntityLinks['threats']> {
  const rows = await rowsOf<Omit<ThreatsBeside, 'worst'> & { readonly place: number }>(
    db,
    sql`with newest as (
          select l.job_id from ${entityJobLinks} l join ${jobs} on ${jobs.id} = l.job_id
          where l.entity_id = ${id} and ${visibleTo(viewer) ?? sql`true`}
          order by l.job_id desc limit ${mostJobs})
        select c.key as category, max(c.found->>'label') as label, count(distinct n.job_id)::integer as jobs,
          min(array_position(${anArray('text', severities)}, c.found->>'severity')) as place,
          sum((c.found->>'total')::float8)::float8 as indicators,
          bool_or(exists (
            select from jsonb_array_elements(c.found->'indicators') i
            where strpos(lower(i->>'value'), lower(${value}::text)) > 0)) as "isDirect"
        from newest n join ${taskDerivations} d on d.job_id = n.job_id
        cross join lateral jsonb_each(d.analytics->'threats'->'categories') c(key, found)
        group by c.key order by jobs desc, place, c.key`,
  );
  return rows.map(({ place, ...row }) => ({ ...row, worst: severities[place - 1]! }));
}
