import type { FileRepository, NewFile, SimilarFile } from '@svc/application/submissions/file-repository.ts';
import { fallbackName, reportedStatuses, type Actor, type UploadedFile } from '@svc/domain';
import { and, asc, desc, eq, gte, inArray, isNull, like, lt, lte, min, ne, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { digestColumns, headsNear } from './digest-columns.ts';
import { toFile } from '../rows.ts';
import { fileDigests, jobs, uploadedFiles } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgFileRepository implements FileRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: number): Promise<UploadedFile | null> {
    const [row] = await this.#db.select().from(uploadedFiles).where(eq(uploadedFiles.id, id));
    return row ? toFile(row) : null;
  }

  async keep(file: NewFile, at: Date): Promise<UploadedFile> {
    // An upload that is submitted many times at once conflicts in its digest and in its place; `on conflict do update`
    // waits for one of the two only, and fails in the other. Another pass is for a file that is removed in between.
    for (let pass = 0; pass < 3; pass += 1) {
      const [made] = await this.#db
        .insert(uploadedFiles)
        .values({ ...file, uploadedAt: at })
        .onConflictDoNothing()
        .returning();
      if (made) return toFile(made);
      const [known] = await this.#db
        .update(uploadedFiles)
        .set({ detectedType: file.detectedType })
        .where(eq(uploadedFiles.sha256, file.sha256))
        .returning();
      if (known) return toFile(known);
    }
    throw new Error('the file was not stored');
  }

  async hold(id: number): Promise<UploadedFile | null> {
    const [row] = await this.#db.select().from(uploadedFiles).where(eq(uploadedFiles.id, id)).for('no key update');
    return row ? toFile(row) : null;
  }

  async removeUnused(id: number): Promise<string | null> {
    const [removed] = await this.#db
      .delete(uploadedFiles)
      .where(and(eq(uploadedFiles.id, id), sql`not exists (select from ${jobs} where ${jobs.fileId} = ${id})`))
      .returning({ key: uploadedFiles.storageKey });
    return removed?.key ?? null;
  }

  async findBySha256(sha256: string): Promise<UploadedFile | null> {
    const [row] = await this.#db.select().from(uploadedFiles).where(eq(uploadedFiles.sha256, sha256));
    return row ? toFile(row) : null;
  }

  async findSeen(viewer: Actor, beginning: string): Promise<UploadedFile | null> {
    const [row] = await this.#db
      .select({ file: uploadedFiles })
      .from(uploadedFiles)
      .innerJoin(jobs, eq(jobs.fileId, uploadedFiles.id))
      .where(and(like(uploadedFiles.sha256, `${beginning}%`), visibleTo(viewer)))
      .orderBy(desc(jobs.id))
      .limit(1);
    return row ? toFile(row.file) : null;
  }

  async firstSeen(viewer: Actor, id: number): Promise<Date | null> {
    const [row] = await this.#db
      .select({ at: min(jobs.createdAt) })
      .from(jobs)
      .where(and(eq(jobs.fileId, id), visibleTo(viewer)));
    return row?.at ?? null;
  }

  async isStoredAt(storageKey: string): Promise<boolean> {
    const { id } = uploadedFiles;
    const rows = await this.#db.select({ id }).from(uploadedFiles).where(eq(uploadedFiles.storageKey, storageKey));
    return rows.length > 0;
  }

  async jobsIdleSince(since: Date, files: number): Promise<readonly number[]> {
    const stays = this.#db
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          eq(jobs.fileId, uploadedFiles.id),
          or(gte(jobs.createdAt, since), inArray(jobs.status, ['pending', 'running'])),
        ),
      );
    const idle = this.#db
      .select({ id: uploadedFiles.id })
      .from(uploadedFiles)
      .where(and(lt(uploadedFiles.uploadedAt, since), notExists(stays)))
      .orderBy(asc(uploadedFiles.id))
      .limit(files);
    const rows = await this.#db.select({ id: jobs.id }).from(jobs).where(inArray(jobs.fileId, idle));
    return rows.map(({ id }) => id);
  }

  async moveTo(id: number, storageKey: string): Promise<void> {
    await this.#db.update(uploadedFiles).set({ storageKey }).where(eq(uploadedFiles.id, id));
  }

  async withoutDigest(
    before: Date,
    { under, limit }: { readonly under: number | null; readonly limit: number },
  ): Promise<readonly UploadedFile[]> {
    const { id, tlsh, uploadedAt } = uploadedFiles;
    const rows = await this.#db
      .select()
      .from(uploadedFiles)
      .where(and(isNull(tlsh), lt(uploadedAt, before), under === null ? undefined : lt(id, under)))
      .orderBy(desc(uploadedFiles.id))
      .limit(limit);
    return rows.map(toFile);
  }

  async setDigest(id: number, tlsh: string | null): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const set = { tlsh: tlsh ?? '' };
      const found = await tx
        .update(uploadedFiles)
        .set(set)
        .where(eq(uploadedFiles.id, id))
        .returning({ id: uploadedFiles.id });
      if (tlsh === null || found.length === 0) return;
      const columns = digestColumns(tlsh);
      await tx
        .insert(fileDigests)
        .values({ fileId: id, ...columns })
        .onConflictDoUpdate({ target: fileDigests.fileId, set: columns });
    });
  }

  async similar(
    viewer: Actor,
    { id, tlsh }: { readonly id: number; readonly tlsh: string },
    { threshold, limit }: { readonly threshold: number; readonly limit: number },
  ): Promise<readonly SimilarFile[]> {
    const { code, checksum } = digestColumns(tlsh);
    const { heads, lengths, firsts, seconds } = headsNear(tlsh, threshold);
    const { head } = fileDigests;
    const differing = sql`(${fileDigests.code} # ${code}::bit(384))`;
    const distance = sql<number>`((${arrayOf(lengths)}::int[])[(${head} >> 8) + 1]
      + (${arrayOf(firsts)}::int[])[(${head} >> 4 & 15) + 1]
      + (${arrayOf(seconds)}::int[])[(${head} & 15) + 1]
      + case when ${fileDigests.checksum} = ${checksum} then 0 else 1 end
      + bit_count(${differing}) + 3 * bit_count(${differing} & (${differing} << 256)))::int`;
    const candidates = this.#db
      .select({ fileId: fileDigests.fileId, distance: distance.as('distance') })
      .from(fileDigests)
      .where(and(sql`${head} = any(${arrayOf(heads)}::int[])`, ne(fileDigests.fileId, id)))
      .as('candidates');
    const nearest = this.#db
      .select()
      .from(candidates)
      .where(lte(candidates.distance, threshold))
      .orderBy(asc(candidates.distance), desc(candidates.fileId))
      .as('nearest');
    const newest = this.#db
      .select({ jobId: jobs.id, submittedName: jobs.submittedName, status: jobs.status })
      .from(jobs)
      // A file without a report shows no digest: one that is there already would tell of others' jobs.
      .where(and(eq(jobs.fileId, nearest.fileId), inArray(jobs.status, [...reportedStatuses]), visibleTo(viewer)))
      .orderBy(desc(jobs.id))
      .limit(1)
      .as('newest');
    const rows = await this.#db
      .select({
        fileId: nearest.fileId,
        distance: nearest.distance,
        jobId: newest.jobId,
        submittedName: newest.submittedName,
        sha256: uploadedFiles.sha256,
        status: newest.status,
      })
      .from(nearest)
      .innerJoinLateral(newest, sql`true`)
      .innerJoin(uploadedFiles, eq(uploadedFiles.id, nearest.fileId))
      .orderBy(asc(nearest.distance), desc(nearest.fileId))
      .limit(limit);
    return rows.map(({ submittedName, ...file }) => ({
      ...file,
      fileName: submittedName ?? fallbackName(file.sha256),
    }));
  }
}

/** Numbers as the text of an array. */
function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}
