import type { Blame, EntityBlame } from '@svc/application/feeds/entity-blame.ts';
import { severities, type Actor } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entityFindings, entityThreats, findings, jobs } from '../schema/index.ts';
import { counting } from '../report/finding-columns.ts';
import { visibleTo } from '../visible.ts';

/** The newest findings that are read of one entity. */
const mostFindings = 1000;

export class PgEntityBlame implements EntityBlame {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async of(viewer: Actor, ids: readonly number[]): Promise<Map<number, Blame>> {
    if (ids.length === 0) return new Map();
    const isVisible = visibleTo(viewer) ?? sql`true`;
    const rows = await rowsOf<{ id: number; rank: number | null; categories: string[] | null }>(
      this.#db,
      sql`
      select n.id, f.rank, t.categories from unnest(${anArray('integer', ids)}) n(id)
      cross join lateral (
        select min(${findings.severityRank})::integer as rank from (
          select l.finding_id from ${entityFindings} l join ${jobs} on ${jobs.id} = l.job_id
          where l.entity_id = n.id and ${isVisible}
          order by l.job_id desc, l.finding_id desc limit ${mostFindings}) l
        join ${findings} on ${findings.id} = l.finding_id and ${counting}) f
      cross join lateral (
        select array_agg(distinct t.category order by t.category) as categories
        from ${entityThreats} t join ${jobs} on ${jobs.id} = t.job_id
        where t.entity_id = n.id and ${isVisible}) t
      where f.rank is not null or t.categories is not null`,
    );
    return new Map(
      rows.map(({ id, rank, categories }) => [
        id,
        { severity: rank === null ? null : severities[rank]!, categories: categories ?? [] },
      ]),
    );
  }
}
