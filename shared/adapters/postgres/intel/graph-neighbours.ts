import {
  togetherLimits,
  type Followed,
  type GraphScope,
  type Neighbour,
} from '@svc/application/intel/graph/entity-graphs.ts';
import { relationshipKinds, type Actor, type EntityType, type GraphKind, type RelationshipKind } from '@svc/domain';
import { sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import {
  entities,
  entityFindings,
  entityJobLinks,
  jobEntityCounts,
  jobs,
  relationshipEvidence,
  relationships,
} from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Tables of what names entities together; `kept` tells how many `grp` names, null where that is not kept. */
export const namers = {
  job: {
    links: entityJobLinks,
    group: sql.raw('job_id'),
    newest: sql.raw('l.job_id desc'),
    kept: sql`(select c.entities from ${jobEntityCounts} c where c.job_id = grp)`,
  },
  finding: {
    links: entityFindings,
    group: sql.raw('finding_id'),
    newest: sql.raw('l.job_id desc, l.finding_id desc'),
    kept: sql`null`,
  },
} as const;
export type Namer = keyof typeof namers;

interface Row {
  readonly from: number;
  readonly id: number;
  readonly type: EntityType;
  readonly isAllowlisted: boolean;
  readonly weight: number;
}

interface Walk extends GraphScope {
  readonly db: Database;
  readonly viewer: Actor;
  readonly ids: readonly number[];
  /** Neighbours of each. */
  readonly each: number;
}

/** Newest jobs of each entity of which it is looked up at once whether the viewer sees them. */
const lookedUpAtOnce = 10;

/**
 * The newest jobs, or matches, that name each of the entities and that the viewer sees, as rows of `id` and `grp`. Most are
 * of jobs that other entities have too, so that these are looked up once for all; any other job when it is its turn.
 */
export function namedBy({ viewer, ids, job }: Pick<Walk, 'viewer' | 'ids' | 'job'>, by: Namer, each: number): SQL {
  const { links, group, newest } = namers[by];
  const those = sql`unnest(${anArray('integer', ids)}) f(id)`;
  const ofEach = sql`l.entity_id = f.id ${job === null ? sql`` : sql`and l.job_id = ${job}`}`;
  const isVisible = visibleTo(viewer);
  if (isVisible === undefined) {
    return sql`
      select f.id, g.grp from ${those}
      cross join lateral (select l.${group} as grp from ${links} l where ${ofEach} order by ${newest} limit ${each}) g`;
  }
  return sql`
    with known as materialized (
      select distinct g.job_id from ${those}
      cross join lateral (select l.job_id from ${links} l where ${ofEach} order by ${newest} limit ${lookedUpAtOnce}) g),
    seen as materialized (select id from ${jobs} where id = any(array(select job_id from known)) and ${isVisible})
    select f.id, g.grp from ${those}
    cross join lateral (
      select l.${group} as grp from ${links} l
      where ${ofEach} and (l.job_id in (select id from seen) or (l.job_id not in (select job_id from known)
        and (select ${isVisible} from ${jobs} where ${jobs.id} = l.job_id)))
      order by ${newest} limit ${each}) g`;
}

/** How many entities a job, or a match, names; no further than what makes it say nothing. */
function fanoutOf(by: Namer): SQL {
  const { links, group, kept } = namers[by];
  return sql`coalesce(${kept}, (select count(*) from (select from ${links} o where o.${group} = grp limit ${togetherLimits.fanout + 1}) x))`;
}

/** Whether a job, or a match, names few enough for that to mean something. */
export function namesFew(by: Namer): SQL {
  return sql`${fanoutOf(by)} <= ${togetherLimits.fanout}`;
}

/**
 * What is named together with each, by how often; newest first as far as the rows go, and all alike. Only what is told is
 * looked up: a join would read all entities.
 */
export async function namedTogether(walk: Walk, by: Namer): Promise<Row[]> {
  const { links, group } = namers[by];
  const groupsEach = Math.min(500, Math.max(10, Math.ceil(togetherLimits.groups / walk.ids.length)));
  return rowsOf<Row>(
    walk.db,
    sql`
    with linked as (
      select id, grp, row_number() over (partition by id order by grp desc) as nth
      from (${namedBy(walk, by, groupsEach)}) n),
    sized as materialized (select grp, ${fanoutOf(by)} as size from (select distinct grp from linked) d),
    taken as (
      select id, grp, sum(size) over (order by nth, id) as until
      from linked join sized using (grp) where size <= ${togetherLimits.fanout}),
    counted as (
      select t.id, o.entity_id as other, count(*) as weight
      from taken t join ${links} o on o.${group} = t.grp and o.entity_id <> t.id
      where t.until <= ${togetherLimits.rows} group by 1, 2),
    ranked as (
      select c.id, c.other, c.weight, row_number() over (partition by c.id order by c.weight desc, c.other) as nth
      from counted c where ${walk.hidesAllowlisted ? sql`c.other not in (select a.id from ${entities} a where a.is_allowlisted)` : sql`true`})
    select r.id as "from", e.id, e.type, e.is_allowlisted as "isAllowlisted", r.weight::float8 as weight from ranked r
    cross join lateral (select id, type, is_allowlisted from ${entities} where id = r.other offset 0) e
    where nth <= ${walk.each}`,
  );
}

/** All that a job names, the most frequent first. */
export function namedIn({ db, job, ...walk }: Walk): Promise<Omit<Row, 'from'>[]> {
  return rowsOf(
    db,
    sql`select e.id, e.type, e.is_allowlisted as "isAllowlisted", l.occurrence_count::float8 as weight from ${entityJobLinks} l
        join ${entities} e on e.id = l.entity_id ${listed(walk)}
        where l.job_id = ${job} order by l.occurrence_count desc, l.entity_id limit ${walk.each + 1}`,
  );
}

/** What relationships of these types lead to, in either direction. */
export function relatedTo(walk: Walk, types: readonly RelationshipKind[]): Promise<Row[]> {
  const [ids, asked] = [anArray('integer', walk.ids), anArray('text', types)];
  if (walk.job !== null) {
    const part = (own: SQL, far: SQL) => sql`
      select r.${own} as "from", e.id, e.type, e.is_allowlisted as "isAllowlisted", v.occurrence_count::float8 as weight from ${relationshipEvidence} v
      join ${relationships} r on r.id = v.relationship_id join ${entities} e on e.id = r.${far} ${listed(walk)}
      where v.job_id = ${walk.job} and r.${own} = any(${ids}) and r.type = any(${asked})`;
    const both = sql`${part(source, target)} union all ${part(target, source)}`;
    return rowsOf(walk.db, sql`select * from (${both}) n order by weight desc, id limit ${togetherLimits.rows + 1}`);
  }
  // The strongest by the index, with all that equal the last of them, before these are put in order.
  const part = (own: SQL, far: SQL) => sql`
    (select * from (
      select e.id, e.type, e.is_allowlisted as "isAllowlisted", r.occurrence_count as weight from ${relationships} r
      join ${entities} e on e.id = r.${far} ${listed(walk)}
      where r.${own} = f.id and r.type = t.type order by r.occurrence_count desc fetch first ${walk.each} rows with ties) s
     order by weight desc, id limit ${walk.each})`;
  return rowsOf(
    walk.db,
    sql`select f.id as "from", n.id, n.type, n."isAllowlisted", n.weight::float8 as weight from unnest(${ids}) f(id) cross join unnest(${asked}) t(type)
        cross join lateral (${part(source, target)} union all ${part(target, source)}) n
        limit ${togetherLimits.rows + 1}`,
  );
}

const [source, target] = [sql.raw('source_id'), sql.raw('target_id')];

function listed({ hidesAllowlisted }: Pick<GraphScope, 'hidesAllowlisted'>): SQL {
  return hidesAllowlisted ? sql`and not e.is_allowlisted` : sql``;
}

/** What these lead to, by all kinds that are followed. */
export async function neighboursOf(
  walk: Walk,
  follow: readonly Followed[],
): Promise<{ found: Neighbour[]; isCut: boolean }> {
  const found: Neighbour[] = [];
  let isCut = false;
  const add = (rows: readonly Row[], kind: GraphKind): void => {
    for (const { from, id, type, isAllowlisted, weight } of rows)
      found.push({ from, id, type, isAllowlisted, weight, kind });
  };
  const types = relationshipKinds.filter((type) => follow.includes('typed') || follow.includes(type));
  if (types.length > 0) {
    const rows = await relatedTo(walk, types);
    isCut ||= rows.length > togetherLimits.rows;
    add(rows, 'typed');
  }
  if (follow.includes('finding')) add(await namedTogether(walk, 'finding'), 'finding');
  if (follow.includes('job') && walk.job === null) add(await namedTogether(walk, 'job'), 'job');
  if (follow.includes('job') && walk.job !== null) {
    const named = await namedIn(walk);
    for (const from of walk.ids) {
      const others = named.filter(({ id }) => id !== from);
      add(
        others.map((row) => ({ ...row, from })),
        'job',
      );
    }
  }
  return { found, isCut };
}
