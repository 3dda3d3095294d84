import type { ListedEntity } from '@svc/application/intel/entity-lists.ts';
import { asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { aliasCounts } from './entity-aliases.ts';
import { entities, entityTags, tags } from '../schema/index.ts';

/** Entities as lists show them, in the order of their ids here; those that are gone left out. */
export async function listedEntities(db: Database, ids: readonly number[]): Promise<ListedEntity[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select()
    .from(entities)
    .where(inArray(entities.id, [...ids]));
  const carried = await db
    .select({ entityId: entityTags.entityId, name: tags.name, color: tags.color })
    .from(entityTags)
    .innerJoin(tags, eq(tags.id, entityTags.tagId))
    .where(inArray(entityTags.entityId, [...ids]))
    .orderBy(asc(tags.name));
  const aliases = await aliasCounts(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const tagsOf = new Map<number, { name: string; color: (typeof carried)[number]['color'] }[]>();
  for (const { entityId, ...tag } of carried) tagsOf.set(entityId, [...(tagsOf.get(entityId) ?? []), tag]);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [{ ...row, tags: tagsOf.get(id) ?? [], aliases: aliases.get(id) ?? 0 }];
  });
}
