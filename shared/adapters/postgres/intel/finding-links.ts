import type { JobIntel } from '@svc/application/intel/intel-repository.ts';
import { sql } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entityFindings, findings } from '../schema/index.ts';
import { noteFound } from './found-entities.ts';

/** What the findings of a job name. */
export interface LinkingJob {
  readonly jobId: number;
  /** Of its entities, by their places; null for one that the job is not linked to. */
  readonly ids: readonly (number | null)[];
  readonly findings: JobIntel['findings'];
}

/** Has the findings of jobs name these entities, which are locked, and no others. */
export async function linkFindings(tx: Database, jobs: readonly LinkingJob[]): Promise<void> {
  const links = jobs.flatMap(({ jobId, ids, findings: found }) =>
    found.flatMap(({ finding, entities: named }) =>
      named.flatMap((place) => {
        const id = ids[place]!;
        return id === null ? [] : [{ jobId, finding, id }];
      }),
    ),
  );
  const given = unnested(
    ['integer', links.map(({ jobId }) => jobId)],
    ['integer', links.map(({ finding }) => finding)],
    ['integer', links.map(({ id }) => id)],
  );
  const jobIds = anArray(
    'integer',
    jobs.map(({ jobId }) => jobId),
  );
  const changed = await rowsOf<{ id: number }>(
    tx,
    sql`
    with wanted as materialized (
      select distinct coalesce(f.merged_into, f.id) as finding, given.entity, f.job_id as job
      from ${given} as given(job, finding, entity)
      join ${findings} f on f.id = given.finding and f.job_id = given.job),
    gone as (
      delete from ${entityFindings} l using ${findings} f
      where f.id = l.finding_id and f.job_id = any(${jobIds})
        and not exists (select from wanted where wanted.finding = l.finding_id and wanted.entity = l.entity_id)
      returning l.entity_id as id),
    made as (
      insert into ${entityFindings} (finding_id, entity_id, job_id) select finding, entity, job from wanted
      on conflict do nothing returning entity_id as id)
    select id from gone union select id from made`,
  );
  await noteFound(
    tx,
    changed.map(({ id }) => id),
  );
}
