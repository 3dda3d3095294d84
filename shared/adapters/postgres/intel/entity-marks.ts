import { isTagNamed, type EntityCondition, type EntityTrait } from '@svc/domain';
import type { tags } from '../schema/index.ts';
import { flag, named, type Facet } from '../search/facets.ts';

/** What of a query tags are looked up by. */
export interface NamedTags {
  /** The tags that the query names, those of a namespace included. */
  readonly tags: readonly Pick<typeof tags.$inferSelect, 'id' | 'name'>[];
}

/** What an entity is marked with. */
export interface Marks {
  readonly facets: readonly Facet[];
  /** Ids of tags that it carries. */
  readonly tags: readonly number[];
}

/** The marks of which a condition asks for any; null where it asks for something else. */
export function marksAsked(context: NamedTags, asked: EntityCondition): Marks | null {
  switch (asked.key) {
    case 'type':
      return { facets: asked.values.map((type) => named('type', type)), tags: [] };
    case 'attr':
      return { facets: asked.values.map((key) => named('attribute', key)), tags: [] };
    case 'tag':
      return { facets: [], tags: idsOf(context, asked.values) };
    case 'label':
      return { facets: asked.attributes.map((key) => named('attribute', key)), tags: idsOf(context, asked.tags) };
    case 'is':
    case 'has': {
      const flags = asked.values.map((trait) => traitFlags[trait]);
      return flags.every((one) => one !== undefined) ? { facets: flags.map((one) => flag(one)), tags: [] } : null;
    }
    default:
      return null;
  }
}

/** Traits that `entity_search` tells of. */
export const traitFlags: { readonly [T in EntityTrait]?: Parameters<typeof flag>[0] } = {
  watched: 'watched',
  allowlisted: 'allowlisted',
  note: 'noted',
};

function idsOf({ tags: known }: NamedTags, names: readonly string[]): number[] {
  return known.filter(({ name }) => isTagNamed(name, names)).map(({ id }) => id);
}
