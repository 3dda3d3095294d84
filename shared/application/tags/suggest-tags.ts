import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { tagName, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Tags to choose from, the most used first. */
export async function suggestTags(
  { tags }: Pick<Ports, 'tags'>,
  actor: Actor,
  { q, limit }: InputOf<typeof operations.suggestTags>,
): Promise<OutputOf<typeof operations.suggestTags>> {
  const found = await tags.find(actor, { text: tagName(q), limit });
  return found.map(({ name, color, entities, jobs }) => ({ tag: name, color, count: entities + jobs }));
}
