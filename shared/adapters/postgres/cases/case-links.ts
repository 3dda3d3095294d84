import type { CaseLinks, CaseTarget, NewCaseLinks } from '@svc/application/cases/case-links.ts';
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { caseEntities, caseJobs, entityJobLinks } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { PgCaseRepository } from './case-repository.ts';

const tables = {
  entity: { links: caseEntities, id: caseEntities.entityId, column: sql.raw('entity_id') },
  job: { links: caseJobs, id: caseJobs.jobId, column: sql.raw('job_id') },
} as const;

export class PgCaseLinks implements CaseLinks {
  readonly #db: Database;
  readonly #cases: PgCaseRepository;

  constructor(db: Database) {
    this.#db = db;
    this.#cases = new PgCaseRepository(db);
  }

  async add(caseId: number, { kind, ids, by, at, note }: NewCaseLinks): Promise<number> {
    const { links, column } = tables[kind];
    const moment = sql`${at.toISOString()}::timestamptz`;
    const said = note === null ? sql`null::varchar` : sql`${storableText(note)}::varchar`;
    const again = note === null ? sql`do nothing` : sql`(case_id, ${column}) do update set note = excluded.note`;
    const added = await rowsOf<{ isNew: boolean }>(
      this.#db,
      sql`insert into ${links} (case_id, ${column}, added_by, added_at, note)
        select ${caseId}::integer, id, ${by}::uuid, ${moment}, ${said} from unnest(${anArray('integer', [...new Set(ids)])}) as given(id)
        on conflict ${again} returning xmax = 0 as "isNew"`,
    );
    if (added.length > 0) await this.#changed(caseId, kind, at);
    return added.filter(({ isNew }) => isNew).length;
  }

  async get(caseId: number, target: CaseTarget): Promise<{ addedBy: string | null } | null> {
    const { links } = tables[target.kind];
    const [row] = await this.#db
      .select({ addedBy: links.addedBy })
      .from(links)
      .where(isLink(caseId, target.kind, [target.id]));
    return row ?? null;
  }

  async note(
    caseId: number,
    { kind, id }: CaseTarget,
    { note, at }: { readonly note: string | null; readonly at: Date },
  ): Promise<void> {
    await this.#db
      .update(tables[kind].links)
      .set({ note: note === null ? null : storableText(note) })
      .where(isLink(caseId, kind, [id]));
    await this.#cases.change(caseId, {}, at);
  }

  async remove(
    caseId: number,
    { kind, ids, at }: { readonly kind: CaseTarget['kind']; readonly ids: readonly number[]; readonly at: Date },
  ): Promise<void> {
    const { links } = tables[kind];
    const removed = await this.#db
      .delete(links)
      .where(isLink(caseId, kind, ids))
      .returning({ id: links.caseId });
    if (removed.length > 0) await this.#changed(caseId, kind, at);
  }

  async missing(
    caseId: number,
    jobIds: readonly number[],
    mostOfEach: number,
  ): Promise<{ entityIds: readonly number[]; total: number }> {
    const [found] = await rowsOf<{ ids: number[]; total: number }>(
      this.#db,
      sql`with missing as (
        select entity_id, row_number() over (partition by job_id order by occurrence_count desc, entity_id) as place
        from ${entityJobLinks} where job_id = any(${anArray('integer', jobIds)}) and not exists (
          select from ${caseEntities} where case_id = ${caseId}::integer and ${caseEntities.entityId} = ${entityJobLinks.entityId})
      ) select coalesce(array_agg(distinct entity_id) filter (where place <= ${mostOfEach}::integer), '{}') as ids,
        count(distinct entity_id)::integer as total from missing`,
    );
    return { entityIds: found?.ids ?? [], total: found?.total ?? 0 };
  }

  async #changed(caseId: number, kind: CaseTarget['kind'], at: Date): Promise<void> {
    if (kind === 'job') await this.#cases.touch([caseId], at);
    else await this.#cases.change(caseId, {}, at);
  }
}

function isLink(caseId: number, kind: CaseTarget['kind'], ids: readonly number[]): SQL | undefined {
  const { links, id } = tables[kind];
  return and(eq(links.caseId, caseId), inArray(id, [...ids]));
}
