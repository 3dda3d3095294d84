import type { Change, Entity, EntityRepository } from '@svc/application/intel/entity-repository.ts';
import { entityKey, type EntityType, type Tag } from '@svc/domain';
import { and, asc, eq, sql } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityTags, tags } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { markEntities } from './mark-entities.ts';

const shown = {
  id: entities.id,
  type: entities.type,
  value: entities.value,
  jobCount: entities.jobCount,
  firstSeenAt: entities.firstSeenAt,
  lastSeenAt: entities.lastSeenAt,
  isWatched: entities.isWatched,
  isAllowlisted: entities.isAllowlisted,
  allowlistReason: entities.allowlistReason,
  allowlistedAt: entities.allowlistedAt,
  note: entities.note,
  noteAt: entities.noteAt,
  attributes: entities.attributes,
  attributeKeys: entities.attributeKeys,
};

const anyOf = (ids: readonly number[]) => sql`${entities.id} = any(${anArray('integer', ids)})`;

export class PgEntityRepository implements EntityRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(id: number): Promise<Entity | null> {
    const [entity] = await this.some([id]);
    return entity ?? null;
  }

  async some(ids: readonly number[]): Promise<Entity[]> {
    const rows = await this.#db.select(shown).from(entities).where(anyOf(ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async find({ type, value }: { readonly type: EntityType; readonly value: string }): Promise<number | null> {
    const [row] = await this.#db
      .select({ id: entities.id })
      .from(entities)
      .where(and(eq(entities.valueKey, entityKey(value)), eq(entities.type, type)));
    return row?.id ?? null;
  }

  async hold(ids: readonly number[]): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.#db,
      sql`select id from ${entities} where ${anyOf(ids)} order by value_key, type for no key update`,
    );
    return rows.map(({ id }) => id);
  }

  async allowlist(
    ids: readonly number[],
    { isAllowlisted, reason, by, at }: Change & { readonly isAllowlisted: boolean; readonly reason: string | null },
  ): Promise<number[]> {
    const changed = await this.#db
      .update(entities)
      .set({
        isAllowlisted,
        allowlistReason: reason === null ? null : storableText(reason),
        allowlistedBy: by,
        allowlistedAt: at,
        // Of what is told again, others are told anew.
        ...(!isAllowlisted && { toldAt: null }),
      })
      .where(and(anyOf(ids), sql`${entities.isAllowlisted} <> ${isAllowlisted}`))
      .returning({ id: entities.id });
    const changedIds = changed.map(({ id }) => id);
    await markEntities(this.#db, changedIds);
    return changedIds;
  }

  async writeNote(id: number, note: string | null, { by, at }: Change): Promise<void> {
    await this.#db
      .update(entities)
      .set({ note: note === null ? null : storableText(note), noteBy: by, noteAt: at })
      .where(eq(entities.id, id));
    await markEntities(this.#db, [id]);
  }

  async tagsOf(ids: readonly number[]): Promise<Map<number, Tag[]>> {
    const rows = await this.#db
      .select({ id: entityTags.entityId, name: tags.name, color: tags.color })
      .from(entityTags)
      .innerJoin(tags, eq(tags.id, entityTags.tagId))
      .where(sql`${entityTags.entityId} = any(${anArray('integer', ids)})`)
      .orderBy(asc(tags.name));
    const ofEntity = new Map<number, Tag[]>();
    for (const { id, ...tag } of rows) ofEntity.set(id, [...(ofEntity.get(id) ?? []), tag]);
    return ofEntity;
  }
}
