import { operations, type InputOf, type OutputOf } from '@svc/contracts';
import type { Actor, SavedSearch } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import { foundSearch } from '../jobs/found-search.ts';
import type { Ports } from '../ports/ports.ts';
import { entityFilters, planEntitySearch } from './plan-entity-search.ts';

/** Entities up to which they are counted. */
const most = 1000;

/**
 * What came since the caller last looked at a saved search of entities: what members see of every entity, whatever jobs it
 * is from (resolved-intel 22), but for terms that name jobs, which are read as the caller may.
 */
export async function searchNews(
  ports: Pick<Ports, 'clock' | 'entityLists' | 'jobViews' | 'ruleLists' | 'savedSearches'>,
  actor: Actor,
  { id }: InputOf<typeof operations.searchNews>,
): Promise<OutputOf<typeof operations.searchNews>> {
  const search = await foundSearch(ports.savedSearches, signedIn(actor).userId, id);
  const none = { since: search.lookedAt?.toISOString() ?? null, first: 0, again: 0, is_floor: false };
  if (search.lookedAt === null || search.scope !== 'entities') return none;
  const plan = await planEntitySearch(ports, actor, entityFilters(askedBy(search)), ports.clock.now());
  const { first, again } = await ports.entityLists.news(actor, plan.search, { since: search.lookedAt, limit: most });
  return { ...none, first, again, is_floor: first + again === most };
}

/** What the address of the list holds, as the list is asked; what makes no sense of it is dropped. */
function askedBy({ query }: SavedSearch): InputOf<typeof operations.listEntityIds> {
  const asked = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]);
  const { success, data } = operations.listEntityIds.query.safeParse(Object.fromEntries(asked));
  return success ? data : operations.listEntityIds.query.parse({});
}
