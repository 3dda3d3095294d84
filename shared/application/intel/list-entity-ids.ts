import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { entityLimits, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { orderOf } from './list-entities.ts';
import { entityFilters, planEntitySearch } from './plan-entity-search.ts';

/** The numbers of all entities that meet a search, for what is done to all of them (resolved-intel 4.5). */
export async function listEntityIds(
  ports: Pick<Ports, 'clock' | 'entityLists' | 'jobViews' | 'ruleLists'>,
  actor: Actor,
  input: InputOf<typeof operations.listEntityIds>,
): Promise<OutputOf<typeof operations.listEntityIds>> {
  const { search } = await planEntitySearch(ports, actor, entityFilters(input), ports.clock.now());
  return { ids: [...(await ports.entityLists.ids(actor, search, orderOf(input), entityLimits.found))] };
}
