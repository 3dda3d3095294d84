import type {
  JobTagging,
  NewTagLink,
  TakenTag,
  TagRepository,
  TagUse,
  WantedTag,
} from '@svc/application/tags/tag-repository.ts';
import type { Actor, Tag } from '@svc/domain';
import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { jobs, jobTags, tags } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgTagRepository implements TagRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(viewer: Actor, { text, limit }: { text: string; limit: number }): Promise<TagUse[]> {
    return this.#db
      .select({ name: tags.name, color: tags.color, jobs: count(jobs.id) })
      .from(tags)
      .leftJoin(jobTags, eq(jobTags.tagId, tags.id))
      .leftJoin(jobs, and(eq(jobs.id, jobTags.jobId), visibleTo(viewer)))
      .where(sql`strpos(${tags.name}, ${text}) > 0`)
      .groupBy(tags.id)
      .orderBy(desc(count(jobs.id)), asc(tags.name))
      .limit(limit);
  }

  async named(names: readonly string[]): Promise<Tag[]> {
    if (names.length === 0) return [];
    return this.#db
      .select({ name: tags.name, color: tags.color })
      .from(tags)
      .where(inArray(tags.name, [...names]))
      .orderBy(asc(tags.name));
  }

  async add(wanted: readonly WantedTag[], { jobIds, by, at }: JobTagging): Promise<NewTagLink[]> {
    const named = await this.#vocabulary(wanted, { by, at });
    for (const { name, color } of inOrder(wanted)) {
      if (color !== null) await this.#db.update(tags).set({ color }).where(eq(tags.name, name));
    }
    if (jobIds.length === 0) return [];
    const nameOf = new Map(named.map(({ id, name }) => [id, name]));
    const rows = jobIds.flatMap((jobId) =>
      named.map(({ id: tagId }) => ({ jobId, tagId, createdBy: by, createdAt: at })),
    );
    const linked = await insertRows(this.#db, jobTags, rows)
      .onConflictDoNothing()
      .returning({ id: jobTags.id, jobId: jobTags.jobId, tagId: jobTags.tagId });
    return linked.map(({ id, jobId, tagId }) => ({ id, jobId, name: nameOf.get(tagId) ?? '' }));
  }

  async remove(names: readonly string[], jobIds: readonly number[]): Promise<TakenTag[]> {
    const removed = this.#db.$with('removed').as(
      this.#db
        .delete(jobTags)
        .where(
          and(
            inArray(jobTags.jobId, [...jobIds]),
            inArray(
              jobTags.tagId,
              this.#db
                .select({ id: tags.id })
                .from(tags)
                .where(inArray(tags.name, [...names])),
            ),
          ),
        )
        .returning({ jobId: jobTags.jobId, tagId: jobTags.tagId }),
    );
    return this.#db
      .with(removed)
      .select({ jobId: removed.jobId, name: tags.name })
      .from(removed)
      .innerJoin(tags, eq(tags.id, removed.tagId))
      .orderBy(asc(removed.jobId), asc(tags.name));
  }

  async ofJob(jobId: number): Promise<Tag[]> {
    return (await tagsOf(this.#db, [jobId])).get(jobId) ?? [];
  }

  /** Tags of these names, which join the vocabulary in gray where they are new. */
  async #vocabulary(
    wanted: readonly WantedTag[],
    { by, at }: { by: string | null; at: Date },
  ): Promise<readonly { id: number; name: string }[]> {
    // In one order, so that two submissions with the same new names wait for each other and do not lock up.
    const names = wanted.map(({ name }) => name).sort();
    const rows = names.map((name) => ({ name, color: 'gray' as const, createdBy: by, createdAt: at }));
    await insertRows(this.#db, tags, rows).onConflictDoNothing();
    return this.#db.select({ id: tags.id, name: tags.name }).from(tags).where(inArray(tags.name, names));
  }
}

/** Tags of each of these jobs, by name. */
export async function tagsOf(db: Database, jobIds: readonly number[]): Promise<Map<number, Tag[]>> {
  const rows = await db
    .select({ jobId: jobTags.jobId, name: tags.name, color: tags.color })
    .from(jobTags)
    .innerJoin(tags, eq(tags.id, jobTags.tagId))
    .where(inArray(jobTags.jobId, [...jobIds]))
    .orderBy(asc(tags.name));
  const byJob = new Map<number, Tag[]>();
  for (const { jobId, ...tag } of rows) byJob.set(jobId, [...(byJob.get(jobId) ?? []), tag]);
  return byJob;
}

function inOrder(wanted: readonly WantedTag[]): WantedTag[] {
  return [...wanted].sort((a, b) => (a.name < b.name ? -1 : 1));
}
