import { not, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { isSuppressedWhole } from '../report/finding-columns.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityFindings, foundIn, jobs } from '../schema/index.ts';

const { nothing, privateJobs, publicJobs } = foundIn;

/**
 * Notes whose findings name these entities, which are locked, after something of that has changed. Read anew, under the
 * lock: whoever changes it for the same entity at the same time notes it once more.
 */
export async function noteFound(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    update ${entities} set found = now.found
    from (select e.id, case
        when ${isNamedBy(sql`not ${jobs.isPrivate}`)} then ${publicJobs}::smallint
        when ${isNamedBy(sql`${jobs.isPrivate}`)} then ${privateJobs}::smallint
        else ${nothing}::smallint end as found
      from ${entities} e where e.id = any(${anArray('integer', ids)})) now
    where ${entities.id} = now.id and ${entities.found} <> now.found`);
}

/** The same of what these findings name, which it locks in the order in which all are locked. */
export async function noteFoundBy(tx: Database, findingIds: readonly number[]): Promise<void> {
  if (findingIds.length > 0) await lockAndNote(tx, await entitiesOf(tx, anArray('integer', findingIds)));
}

/** Entities that any of the findings names. */
export async function entitiesOf(tx: Database, findingIds: SQL): Promise<number[]> {
  const named = await rowsOf<{ id: number }>(
    tx,
    sql`select distinct entity_id as id from ${entityFindings} where finding_id = any(${findingIds})`,
  );
  return named.map(({ id }) => id);
}

export async function lockAndNote(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(
    sql`select from ${entities} where id = any(${anArray('integer', ids)}) order by value_key, type for no key update`,
  );
  await noteFound(tx, ids);
}

/** Looked up for each, which the planner cannot turn into a list of all. */
function isNamedBy(ofJobs: SQL): SQL {
  return sql`(select true from ${entityFindings} join ${jobs} on ${jobs.id} = ${entityFindings.jobId}
    where ${entityFindings.entityId} = e.id and ${ofJobs} and ${not(isSuppressedWhole(entityFindings.findingId))} limit 1)`;
}
