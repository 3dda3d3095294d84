import {
  togetherLimits,
  type EntityGraphs,
  type GraphNode,
  type GraphScope,
  type NeighbourCount,
  type TypedEdge,
} from '@svc/application/intel/graph/entity-graphs.ts';
import type { EntityListSearch } from '@svc/application/intel/entity-lists.ts';
import {
  entityAttributeKey,
  otherTactic,
  relationshipKinds,
  strongestVerdict,
  tactics,
  tacticsOf,
  type Actor,
  type RelationshipKind,
  type TacticGroup,
  type Verdict,
} from '@svc/domain';
import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import {
  caseEntities,
  cases,
  entities,
  entityEnrichments,
  entityJobLinks,
  entityTags,
  findings,
  relationshipEvidence,
  relationships,
  tags,
} from '../schema/index.ts';
import { caseVisibleTo } from '../visible.ts';
import { namedBy, namesFew, namedTogether, neighboursOf } from './graph-neighbours.ts';
import { searchCondition } from './search-condition.ts';

/** Neighbours by a relationship type that are counted. */
const mostCounted = 10_000;
/** Findings that are read to colour a graph (resolved-intel 7.6), and those that are looked at for the worst. */
const mostFindings = 20_000;
const findingsSeen = 100_000;

export class PgEntityGraphs implements EntityGraphs {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async neighbours(
    viewer: Actor,
    ids: readonly number[],
    { follow, ...how }: Parameters<EntityGraphs['neighbours']>[2],
  ): ReturnType<EntityGraphs['neighbours']> {
    if (ids.length === 0) return { found: [], isCut: false };
    return neighboursOf({ db: this.#db, viewer, ids, ...how }, follow);
  }

  async counts(viewer: Actor, id: number, scope: GraphScope): Promise<NeighbourCount[]> {
    const counted: NeighbourCount[] = await this.#relatedCounts(id, scope);
    const walk = { db: this.#db, viewer, ids: [id], each: mostCounted, ...scope };
    const byFinding = (await namedTogether(walk, 'finding')).length;
    if (byFinding > 0) counted.push({ by: 'finding', neighbours: byFinding, isFloor: byFinding >= mostCounted });
    const byJob = scope.job === null ? (await namedTogether(walk, 'job')).length : await this.#sizeOf(id, scope);
    if (byJob > 0) counted.push({ by: 'job', neighbours: byJob, isFloor: scope.job === null && byJob >= mostCounted });
    return counted;
  }

  async nodes(viewer: Actor, ids: readonly number[]): Promise<GraphNode[]> {
    const those = anArray('integer', ids);
    const rows = await rowsOf<
      Pick<GraphNode, 'id' | 'value' | 'type' | 'isWatched' | 'isAllowlisted' | 'jobCount'> & { attributes: string }
    >(
      this.#db,
      sql`
      select e.id, e.value, e.type, array_to_string(e.attribute_keys, ',') as attributes, e.is_watched as "isWatched",
        e.is_allowlisted as "isAllowlisted", e.job_count as "jobCount"
      from unnest(${those}) with ordinality as given(id, place) join ${entities} e on e.id = given.id
      order by given.place`,
    );
    const [named, holding] = [await this.#tags(ids), await this.#cases(viewer, ids)];
    const paint = await this.#paint(viewer, ids);
    const verdicts = await this.#verdicts(ids);
    return rows.map((row) => ({
      ...row,
      attributes: row.attributes.split(',').flatMap((key) => entityAttributeKey(key) ?? []),
      tags: named.get(row.id) ?? [],
      cases: holding.get(row.id) ?? [],
      severityRank: paint.get(row.id)?.severityRank ?? null,
      tactic: paint.get(row.id)?.tactic ?? null,
      verdict: strongestVerdict(verdicts.get(row.id) ?? []),
    }));
  }

  /** By name, of those that carry any: few do, so that each is not asked for its own. */
  async #tags(ids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
    const rows = await rowsOf<{ id: number; names: string[] }>(
      this.#db,
      sql`select l.entity_id as id, array_agg(t.name order by t.name) as names
          from ${entityTags} l join ${tags} t on t.id = l.tag_id
          where l.entity_id = any(${anArray('integer', ids)}) group by 1`,
    );
    return new Map(rows.map((row) => [row.id, row.names]));
  }

  /** Of those that are in any that the viewer sees. */
  async #cases(viewer: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await rowsOf<{ id: number; cases: number[] }>(
      this.#db,
      sql`select ce.entity_id as id,
            (array_agg(${cases.id} order by ${cases.updatedAt} desc, ${cases.id} desc))[:${sql.raw(String(togetherLimits.cases))}] as cases
          from ${caseEntities} ce join ${cases} on ${cases.id} = ce.case_id
          where ce.entity_id = any(${anArray('integer', ids)}) and ${caseVisibleTo(viewer) ?? sql`true`} group by 1`,
    );
    return new Map(rows.map((row) => [row.id, row.cases]));
  }

  /** What services have said of entities, those that said something. */
  async #verdicts(ids: readonly number[]): Promise<ReadonlyMap<number, readonly Verdict[]>> {
    const { entityId: id, ok, verdict } = entityEnrichments;
    const rows = await this.#db
      .select({ id, verdict })
      .from(entityEnrichments)
      .where(and(sql`${id} = any(${anArray('integer', ids)})`, eq(ok, true), ne(verdict, 'none')));
    const said = new Map<number, Verdict[]>();
    for (const row of rows) said.set(row.id, [...(said.get(row.id) ?? []), row.verdict]);
    return said;
  }

  related(
    ids: readonly number[],
    { job, most }: { readonly job: number | null; readonly most: number },
  ): Promise<TypedEdge[]> {
    const those = anArray('integer', ids);
    const from =
      job === null
        ? sql`${relationships} r`
        : sql`${relationshipEvidence} v join ${relationships} r on r.id = v.relationship_id`;
    return rowsOf<Omit<TypedEdge, 'occurrences'> & { occurrences: string }>(
      this.#db,
      sql`
      select r.id, r.source_id as source, r.target_id as target, r.type, r.occurrence_count as occurrences from ${from}
      where ${job === null ? sql`true` : sql`v.job_id = ${job}`}
        and r.source_id = any(${those}) and r.target_id = any(${those})
      order by r.occurrence_count desc, r.id limit ${most}`,
    ).then((rows) => rows.map((row) => ({ ...row, occurrences: Number(row.occurrences) })));
  }

  async together(
    viewer: Actor,
    ids: readonly number[],
    { job, by }: Parameters<EntityGraphs['together']>[2],
  ): ReturnType<EntityGraphs['together']> {
    if (ids.length < 2) return { groups: [], suppressed: 0, isCut: false };
    const each = Math.max(40, Math.ceil(togetherLimits.rows / ids.length));
    const rows = await rowsOf<{ ids: number[] | null; most: string }>(
      this.#db,
      sql`
      with linked as materialized (${namedBy({ viewer, ids, job }, by, each)}),
      shared as (
        select grp, array_agg(id) as ids from linked group by grp having count(*) > 1
        order by grp desc limit ${togetherLimits.groups + 1})
      select case when ${namesFew(by)} then array_to_json(ids) end as ids,
        (select max(many) from (select count(*) as many from linked group by id) m) as most
      from shared order by grp desc`,
    );
    const groups = rows.slice(0, togetherLimits.groups).flatMap((row) => (row.ids === null ? [] : [row.ids]));
    return {
      groups,
      suppressed: Math.min(rows.length, togetherLimits.groups) - groups.length,
      isCut: rows.length > togetherLimits.groups || Number(rows[0]?.most ?? 0) >= each,
    };
  }

  async meeting(viewer: Actor, ids: readonly number[], search: EntityListSearch): Promise<number[]> {
    const meets = await searchCondition(this.#db, viewer, search);
    const rows = await this.#db
      .select({ id: entities.id })
      .from(entities)
      .where(and(sql`${entities.id} = any(${anArray('integer', ids)})`, meets));
    return rows.map(({ id }) => id);
  }

  async #relatedCounts(id: number, { job, hidesAllowlisted }: GraphScope): Promise<NeighbourCount[]> {
    const listed = hidesAllowlisted ? sql`and not e.is_allowlisted` : sql``;
    const from = (own: SQL, far: SQL) => sql`
      (select r.${far} as other from ${relationships} r join ${entities} e on e.id = r.${far} ${listed}
       where r.${own} = ${id} and r.type = t.type
       ${
         job === null
           ? sql``
           : sql`and exists (select from ${relationshipEvidence} v
               where v.relationship_id = r.id and v.job_id = ${job})`
       }
       limit ${mostCounted})`;
    const [source, target] = [sql.raw('source_id'), sql.raw('target_id')];
    const rows = await rowsOf<{ type: RelationshipKind; many: string }>(
      this.#db,
      sql`select t.type, count(distinct n.other) as many from unnest(${anArray('text', relationshipKinds)}) t(type)
          cross join lateral (${from(source, target)} union all ${from(target, source)}) n group by t.type`,
    );
    const byType = new Map(rows.map(({ type, many }) => [type, Number(many)]));
    return relationshipKinds.flatMap((type) => {
      const neighbours = byType.get(type) ?? 0;
      return neighbours === 0 ? [] : [{ by: type, neighbours, isFloor: neighbours >= mostCounted }];
    });
  }

  /** Others that the job names. */
  async #sizeOf(id: number, { job, hidesAllowlisted }: GraphScope): Promise<number> {
    const [row] = await rowsOf<{ many: string }>(
      this.#db,
      sql`select count(*) as many from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id
          where l.job_id = ${job} and l.entity_id <> ${id}
            ${hidesAllowlisted ? sql`and not e.is_allowlisted` : sql``}`,
    );
    return Number(row?.many ?? 0);
  }

  /** What visible findings say of each: of the newest, the worst first. */
  async #paint(
    viewer: Actor,
    ids: readonly number[],
  ): Promise<Map<number, { severityRank: number; tactic: TacticGroup }>> {
    const each = Math.max(20, Math.ceil(findingsSeen / Math.max(1, ids.length)));
    const rows = await rowsOf<{ id: number; rank: number; tags: readonly string[]; many: string }>(
      this.#db,
      sql`
      with worst as (
        select n.id, f.severity_rank as rank, f.tags from (${namedBy({ viewer, ids, job: null }, 'finding', each)}) n
        join ${findings} f on f.id = n.grp and f.count > f.suppressed
        order by f.severity_rank, f.id desc limit ${mostFindings})
      select id, rank, tags, count(*) as many from worst group by 1, 2, 3`,
    );
    const found = new Map<number, { severityRank: number; counts: Map<TacticGroup, number> }>();
    for (const { id, rank, tags: of, many } of rows) {
      const own = found.get(id) ?? { severityRank: rank, counts: new Map<TacticGroup, number>() };
      const tactic = tacticsOf(of)[0] ?? otherTactic;
      own.counts.set(tactic, (own.counts.get(tactic) ?? 0) + Number(many));
      found.set(id, { ...own, severityRank: Math.min(own.severityRank, rank) });
    }
    return new Map([...found].map(([id, { severityRank, counts }]) => [id, { severityRank, tactic: mostOf(counts) }]));
  }
}

/** The one of the most findings; of several the first in the order of tactics. */
function mostOf(counts: ReadonlyMap<TacticGroup, number>): TacticGroup {
  const inOrder: readonly TacticGroup[] = [...tactics, otherTactic];
  return inOrder.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}
