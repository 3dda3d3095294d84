import type {
  EntityTagging,
  GivenToEntity,
  JobTagging,
  NewTagLink,
  StoredTag,
  TagCarriers,
  TagPage,
  TagRepository,
  TagUse,
  TakenTag,
  WantedTag,
} from '@svc/application/tags/tag-repository.ts';
import type { Actor, Tag } from '@svc/domain';
import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { anArray, unnested } from '../arrays.ts';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { rowsOf } from '../rows-of.ts';
import { entityTags, jobs, jobTags, tags } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';

export class PgTagRepository implements TagRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async count(): Promise<number> {
    return this.#db.$count(tags);
  }

  async find(viewer: Actor, { text, limit, of }: { text: string; limit: number; of?: 'jobs' }): Promise<TagUse[]> {
    const { description: _description, lastUsedAt: _last, ...used } = this.#used(viewer);
    return this.#db
      .select(used)
      .from(tags)
      .where(containing(text))
      .orderBy(desc(of === 'jobs' ? used.jobs : sql`${used.entities} + ${used.jobs}`), asc(tags.name))
      .limit(limit);
  }

  async list(
    viewer: Actor,
    { text, sort, page, per }: { text: string; sort: 'count' | 'name' | 'recent'; page: number; per: number },
  ): Promise<TagPage> {
    const used = this.#used(viewer);
    const [total, taggedEntities] = await Promise.all([
      this.#db.$count(tags, containing(text)),
      this.#db.$count(this.#db.selectDistinct({ id: entityTags.entityId }).from(entityTags).as('tagged')),
    ]);
    const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
    const first = { count: desc(used.entities), name: asc(tags.name), recent: sql`${used.lastUsedAt} desc nulls last` };
    const rows = await this.#db
      .select(used)
      .from(tags)
      .where(containing(text))
      .orderBy(first[sort], asc(tags.name))
      .limit(per)
      .offset((shown - 1) * per);
    const found = rows.map(({ lastUsedAt, ...row }) => ({
      ...row,
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    }));
    return { tags: found, page: shown, total, taggedEntities };
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
    const named = await this.#colored(wanted, { by, at });
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

  async addToEntities(wanted: readonly WantedTag[], { entityIds, by, at }: EntityTagging): Promise<number[]> {
    const named = await this.#colored(wanted, { by, at });
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`
      insert into ${entityTags} (entity_id, tag_id, created_by, created_at)
      select entity, tag, ${by}::uuid, ${at.toISOString()}::timestamptz
      from unnest(${anArray('integer', entityIds)}) as entity cross join unnest(${anArray(
        'integer',
        named.map(({ id }) => id),
      )}) as tag
      on conflict do nothing returning entity_id as id`,
    );
    return rows.map(({ id }) => id);
  }

  async lacking(given: readonly GivenToEntity[]): Promise<GivenToEntity[]> {
    const { names, links } = wantedOf(given);
    // A row of each tag, with its entities as JSON: drivers take several times as long for a row of each link. Each link
    // is looked up; `offset 0` keeps PostgreSQL from reading the whole table instead.
    const rows = await rowsOf<{ place: number; entities: number[] }>(
      this.#db,
      sql`select w.place, array_to_json(array_agg(w.entity)) as entities from ${links}
          left join lateral (
            select entity_id from ${entityTags} where entity_id = w.entity and tag_id = w.tag offset 0) l on true
          where l.entity_id is null group by w.place`,
    );
    return rows.flatMap(({ place, entities }) => entities.map((entityId) => ({ name: names[place - 1]!, entityId })));
  }

  async give(given: readonly GivenToEntity[], { by, at }: Pick<EntityTagging, 'by' | 'at'>): Promise<void> {
    await this.#db.execute(sql`
      insert into ${entityTags} (entity_id, tag_id, created_by, created_at)
      select w.entity, w.tag, ${by}::uuid, ${at.toISOString()}::timestamptz
      from ${wantedOf(given).links} where w.tag is not null
      on conflict do nothing`);
  }

  async removeFromEntities(names: readonly string[], entityIds: readonly number[]): Promise<number[]> {
    const removed = await rowsOf<{ id: number }>(
      this.#db,
      sql`delete from ${entityTags} where entity_id = any(${anArray('integer', entityIds)})
          and tag_id in (select id from ${tags} where name = any(${anArray('text', names)})) returning entity_id as id`,
    );
    return removed.map(({ id }) => id);
  }

  async create(
    wanted: readonly WantedTag[],
    { description, by, at }: { description: string | null; by: string | null; at: Date },
  ): Promise<Set<string>> {
    const rows = inOrder(wanted).map(({ name, color }) => ({
      name,
      color: color ?? 'gray',
      description,
      createdBy: by,
      createdAt: at,
    }));
    const made = await this.#db.insert(tags).values(rows).onConflictDoNothing().returning({ name: tags.name });
    return new Set(made.map(({ name }) => name));
  }

  async hold(names: readonly string[]): Promise<StoredTag[]> {
    return this.#db
      .select({ id: tags.id, name: tags.name, color: tags.color })
      .from(tags)
      .where(inArray(tags.name, [...names]))
      .orderBy(asc(tags.name))
      .for('update');
  }

  async carriers(name: string): Promise<TagCarriers> {
    const jobRows = await this.#db
      .select({ id: jobTags.jobId })
      .from(jobTags)
      .innerJoin(tags, eq(tags.id, jobTags.tagId))
      .where(eq(tags.name, name));
    const entityRows = await this.#db
      .select({ id: entityTags.entityId })
      .from(entityTags)
      .innerJoin(tags, eq(tags.id, entityTags.tagId))
      .where(eq(tags.name, name));
    return { jobs: jobRows.map(({ id }) => id), entities: entityRows.map(({ id }) => id) };
  }

  async change(id: number, change: Partial<Tag>): Promise<void> {
    await this.#db.update(tags).set(change).where(eq(tags.id, id));
  }

  async countSeen(viewer: Actor, carriers: TagCarriers): Promise<number> {
    const isOne = inArray(jobs.id, [...carriers.jobs]);
    const seen = carriers.jobs.length === 0 ? 0 : await this.#db.$count(jobs, and(isOne, visibleTo(viewer)));
    return seen + carriers.entities.length;
  }

  async move(from: number, to: number): Promise<TagCarriers> {
    const moved = async (table: typeof jobTags | typeof entityTags, carrier: SQL): Promise<number[]> => {
      const rows = await rowsOf<{ id: number }>(
        this.#db,
        sql`insert into ${table} (${carrier}, tag_id, created_by, created_at)
            select ${carrier}, ${to}::integer, created_by, created_at from ${table} where tag_id = ${from}
            on conflict do nothing returning ${carrier} as id`,
      );
      return rows.map(({ id }) => id);
    };
    return { jobs: await moved(jobTags, sql`job_id`), entities: await moved(entityTags, sql`entity_id`) };
  }

  async drop(id: number): Promise<void> {
    await this.#db.delete(tags).where(eq(tags.id, id));
  }

  /** A tag with how it is used, as columns. */
  #used(viewer: Actor) {
    const ofJobs = (what: SQL) =>
      sql`(select ${what} from ${jobTags} join ${jobs} on ${jobs.id} = ${jobTags.jobId}
        where ${jobTags.tagId} = ${tags.id} and ${visibleTo(viewer) ?? sql`true`})`;
    return {
      name: tags.name,
      color: tags.color,
      description: tags.description,
      entities: sql<number>`${ofEntities(sql`count(*)`)}::integer`,
      jobs: sql<number>`${ofJobs(sql`count(*)`)}::integer`,
      lastUsedAt: sql<string | null>`greatest(${ofEntities(last(entityTags))}, ${ofJobs(last(jobTags))})`,
    };
  }

  /** Tags of these names, with the colours that they are given. */
  async #colored(
    wanted: readonly WantedTag[],
    made: { by: string | null; at: Date },
  ): Promise<readonly { id: number; name: string }[]> {
    const named = await this.#vocabulary(wanted, made);
    for (const { name, color } of inOrder(wanted)) {
      if (color !== null) await this.#db.update(tags).set({ color }).where(eq(tags.name, name));
    }
    return named;
  }

  /** Tags of these names, which join the vocabulary in gray where they are new. */
  async #vocabulary(
    wanted: readonly WantedTag[],
    { by, at }: { by: string | null; at: Date },
  ): Promise<readonly { id: number; name: string }[]> {
    // In one order, so that two submissions with the same new names wait for each other and do not lock up.
    const names = wanted.map(({ name }) => name).sort();
    const known = () => this.#db.select({ id: tags.id, name: tags.name }).from(tags).where(inArray(tags.name, names));
    const before = await known();
    const rows = names
      .filter((name) => before.every((tag) => tag.name !== name))
      .map((name) => ({ name, color: 'gray' as const, createdBy: by, createdAt: at }));
    // Only what is new: each row that is tried takes a number.
    if (rows.length === 0) return before;
    await insertRows(this.#db, tags, rows).onConflictDoNothing();
    return known();
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

const ofEntities = (what: SQL) => sql`(select ${what} from ${entityTags} where ${entityTags.tagId} = ${tags.id})`;
const last = (table: typeof entityTags | typeof jobTags) => sql`max(${table.createdAt})`;

/** Tags whose name contains a text. */
function containing(text: string): SQL {
  return sql`strpos(${tags.name}, ${text}) > 0`;
}

/** Links as rows `w` of the place of a name, from 1, the id of its tag, null where there is none, and an entity; each name is sent once. */
function wantedOf(given: readonly GivenToEntity[]): { readonly names: readonly string[]; readonly links: SQL } {
  const names = [...new Set(given.map(({ name }) => name))];
  const places = new Map(names.map((name, nth) => [name, nth + 1]));
  const pairs = unnested(
    ['integer', given.map(({ name }) => places.get(name)!)],
    ['integer', given.map(({ entityId }) => entityId)],
  );
  const links = sql`(
    select given.place, t.id as tag, given.entity from ${pairs} as given(place, entity)
    left join (unnest(${anArray('text', names)}) with ordinality as named(name, place) join ${tags} t using (name)) using (place)) w`;
  return { names, links };
}

function inOrder(wanted: readonly WantedTag[]): WantedTag[] {
  return [...wanted].sort((a, b) => (a.name < b.name ? -1 : 1));
}
