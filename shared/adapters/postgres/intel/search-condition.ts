import type { EntityListSearch } from '@svc/application/intel/entity-lists.ts';
import type { Actor, EntityCondition, EntitySearchNode } from '@svc/domain';
import { inArray, like, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { ruleLists, tags } from '../schema/index.ts';
import { literally } from '../text.ts';
import { entityCondition, type EntitySearchContext } from './entity-condition.ts';

/** What conditions of a search are made with, the tags and lists that it names looked up. */
export async function searchContext(
  db: Database,
  viewer: Actor,
  { root, now }: EntityListSearch,
): Promise<EntitySearchContext> {
  if (root === null) return { db, viewer, now, tags: [], lists: [] };
  return { db, viewer, now, tags: await tagsIn(db, root), lists: await listsIn(db, root) };
}

/** What a search asks of `entities`; undefined where it asks nothing. */
export async function searchCondition(db: Database, viewer: Actor, search: EntityListSearch): Promise<SQL | undefined> {
  return search.root === null ? undefined : entityCondition(await searchContext(db, viewer, search), search.root);
}

/** The tags that a query names, those of a namespace included. */
async function tagsIn(db: Database, root: EntitySearchNode): Promise<{ id: number; name: string }[]> {
  const names = tagNamesIn(root);
  const whole = names.filter((name) => !name.endsWith('/'));
  const spaces = names.filter((name) => name.endsWith('/')).map((name) => like(tags.name, `${literally(name)}%`));
  if (names.length === 0) return [];
  return db
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(or(whole.length === 0 ? undefined : inArray(tags.name, whole), ...spaces));
}

/** The lists that a query names. */
async function listsIn(db: Database, root: EntitySearchNode): Promise<EntitySearchContext['lists']> {
  const names = conditionsIn(root).flatMap((condition) => (condition.key === 'list' ? [condition.name] : []));
  const { name, match, values } = ruleLists;
  return names.length === 0 ? [] : db.select({ name, match, values }).from(ruleLists).where(inArray(name, names));
}

function tagNamesIn(root: EntitySearchNode): readonly string[] {
  return conditionsIn(root).flatMap((condition) =>
    condition.key === 'tag' ? condition.values : condition.key === 'label' ? condition.tags : [],
  );
}

function conditionsIn(node: EntitySearchNode): readonly EntityCondition[] {
  if (node.kind === 'term') return node.term.condition === null ? [] : [node.term.condition];
  return [node.of].flat().flatMap(conditionsIn);
}
