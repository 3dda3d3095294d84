import type { Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { planEntitySearch, type EntitySearchPlan } from '../plan-entity-search.ts';

const noFilters = {
  types: [],
  tags: [],
  since: null,
  minJobs: 0,
  isWatched: false,
  hidesAllowlisted: false,
  job: null,
} as const;

/** The query of a graph, which marks nodes and leaves none out; null without one. */
export async function planGraphSearch(
  ports: Pick<Ports, 'clock' | 'jobViews' | 'ruleLists'>,
  actor: Actor,
  q: string,
): Promise<EntitySearchPlan | null> {
  return q.trim() === '' ? null : planEntitySearch(ports, actor, { ...noFilters, q }, ports.clock.now());
}
