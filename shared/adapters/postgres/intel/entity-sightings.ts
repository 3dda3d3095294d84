import type { EntityLinks, Sighting } from '@svc/application/intel/entity-links.ts';
import { moment, severities, type Actor, type SeveritySummary } from '@svc/domain';
import { relationshipTypes } from '@svc/engine';
import { sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import {
  entityFindings,
  entityJobLinks,
  findings,
  jobs,
  relationshipEvidence,
  relationships,
} from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

/** Newest jobs of an entity that are looked at. */
const mostJobs = 500;
/** Of each type and direction the strongest, whose evidence tells when a job's events show the entity. */
const mostRelationships = 5;

interface Row {
  readonly job: number;
  readonly created: number;
  /** In milliseconds, by what shows relationships of it. */
  readonly shown: number | null;
  /** By the findings that name it. */
  readonly first: string | null;
  readonly counts: readonly number[] | null;
}

/** When its newest visible jobs saw an entity, and what findings of them name it. */
export async function sightingsOf(db: Database, viewer: Actor, entityId: number): ReturnType<EntityLinks['sightings']> {
  const bySeverity = sql.join(
    severities.map((_, rank) => sql`count(*) filter (where f.severity_rank = ${sql.raw(String(rank))})`),
    sql`, `,
  );
  const rows = await rowsOf<Row>(
    db,
    // By lists of ids, which one walk along an index answers for each relationship: all that a job shows is more than that.
    sql`with newest as materialized (
          select l.job_id, ${jobs.createdAt} as created_at
          from ${entityJobLinks} l join ${jobs} on ${jobs.id} = l.job_id
          where l.entity_id = ${entityId} and ${visibleTo(viewer) ?? sql`true`}
          order by l.job_id desc limit ${mostJobs + 1}),
        strongest as materialized (${strongest('source_id', entityId)} union all ${strongest('target_id', entityId)}),
        shown as (
          select e.job_id, min(e.observed_from) as first from strongest s
          join ${relationshipEvidence} e on e.relationship_id = s.id
          where e.job_id = any(array(select job_id from newest)) group by e.job_id),
        found as (
          select x.job_id, min(f.first_seen collate "C") as first, json_build_array(${bySeverity}) as counts
          from ${entityFindings} x join ${findings} f on f.id = x.finding_id and f.count > f.suppressed
          where x.entity_id = ${entityId} and x.job_id = any(array(select job_id from newest)) group by x.job_id)
        select n.job_id as job, (extract(epoch from n.created_at) * 1000)::float8 as created,
          (extract(epoch from shown.first) * 1000)::float8 as shown, found.first, found.counts
        from newest n left join shown using (job_id) left join found using (job_id)
        order by n.job_id desc`,
  );
  return { sightings: rows.slice(0, mostJobs).map(toSighting), isCut: rows.length > mostJobs };
}

/** Ids of what is related to it that way. */
function strongest(end: 'source_id' | 'target_id', entityId: number): SQL {
  return sql`select r.id from unnest(${anArray('text', relationshipTypes)}) as of(type) cross join lateral (
    select r.id from ${relationships} r where r.${sql.raw(end)} = ${entityId} and r.type = of.type
    order by r.occurrence_count desc limit ${mostRelationships}) r`;
}

function toSighting({ job, created, shown, first, counts }: Row): Sighting {
  const found = first === null ? null : (moment(first)?.at ?? null);
  const seenAt = shown ?? found;
  return {
    jobId: job,
    seenAt: seenAt === null ? null : new Date(seenAt),
    createdAt: new Date(created),
    findings: Object.fromEntries(
      severities.map((severity, rank) => [severity, counts?.[rank] ?? 0]),
    ) as SeveritySummary,
  };
}
