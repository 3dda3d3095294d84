import type {
  StorageRecords,
  StorageWalk,
  WalkFound,
  WalkPurpose,
} from '@svc/application/admin/storage/storage-records.ts';
import { fallbackName } from '@svc/domain';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { droppedObjects, eventPacks, jobs, rawOutputs, storageWalks, uploadedFiles } from '../schema/index.ts';
import { objectPlaces } from './object-places.ts';

/** Those that are to be removed have a sweep of their own. */
const names = [...objectPlaces.map(({ column }) => column), droppedObjects.key];

const nothing = { count: 0, bytes: 0 };
const begun: WalkFound = {
  uploads: nothing,
  outputs: nothing,
  packs: nothing,
  unowned: nothing,
  sample: [],
  removed: nothing,
  largest: [],
};

export class PgStorageRecords implements StorageRecords {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async unnamed(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return [];
    const named = names.map((column) => sql`and not exists (select from ${column.table} where ${column} = given.key)`);
    const rows = await rowsOf<{ key: string }>(
      this.#db,
      sql`select given.key from unnest(${anArray('varchar', keys)}) as given(key) where true ${sql.join(named, sql` `)}`,
    );
    return rows.map(({ key }) => key);
  }

  async largestJobs(most: number): Promise<WalkFound['largest']> {
    // Each sum over its table as a whole, rather than by the index of each job.
    const rows = await rowsOf<{ id: number; bytes: string }>(
      this.#db,
      sql`
        select ${jobs.id} as id, ${uploadedFiles.sizeBytes} + coalesce(put_out.bytes, 0) as bytes
        from ${jobs}
        join ${uploadedFiles} on ${uploadedFiles.id} = ${jobs.fileId}
        left join (
          select job_id, sum(size_bytes)::bigint as bytes
          from (
            select job_id, size_bytes from ${rawOutputs}
            union all
            select job_id, size_bytes from ${eventPacks}
          ) each
          group by job_id
        ) put_out on put_out.job_id = ${jobs.id}
        order by bytes desc, id desc
        limit ${most}`,
    );
    return rows.map(({ id, bytes }) => ({ job_id: id, bytes: Number(bytes) }));
  }

  async fileNames(jobIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await this.#db
      .select({ id: jobs.id, name: jobs.submittedName, sha256: uploadedFiles.sha256 })
      .from(jobs)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, jobs.fileId))
      .where(inArray(jobs.id, [...jobIds]));
    return new Map(rows.map(({ id, name, sha256 }) => [id, name ?? fallbackName(sha256)]));
  }

  async walk(purpose: WalkPurpose): Promise<StorageWalk | null> {
    const [row] = await this.#db.select().from(storageWalks).where(eq(storageWalks.purpose, purpose));
    return row ?? null;
  }

  async begin(purpose: WalkPurpose, at: Date): Promise<StorageWalk> {
    const walk: StorageWalk = { pages: 0, beganAt: at, changedAt: at, endedAt: null, cursor: null, found: begun };
    await this.#db
      .insert(storageWalks)
      .values({ purpose, ...walk })
      .onConflictDoUpdate({ target: storageWalks.purpose, set: walk });
    return walk;
  }

  async advance(purpose: WalkPurpose, walk: StorageWalk): Promise<boolean> {
    const { purpose: of, pages, beganAt } = storageWalks;
    const rows = await this.#db
      .update(storageWalks)
      .set(walk)
      .where(and(eq(of, purpose), eq(beganAt, walk.beganAt), eq(pages, walk.pages - 1)))
      .returning({ pages });
    return rows.length > 0;
  }
}
