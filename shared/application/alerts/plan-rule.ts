import type { Actor } from '@svc/domain';
import { planEntitySearch } from '../intel/plan-entity-search.ts';
import { planSearch } from '../jobs/plan-search.ts';
import type { Ports } from '../ports/ports.ts';
import { searchOf } from './rule-condition.ts';
import type { RuleCondition, RulePlan } from './rule-trials.ts';

/** Reads a condition for this viewer, as the pages of entities and jobs read their searches. */
export async function planRule(
  ports: Pick<Ports, 'jobViews' | 'ruleLists'>,
  viewer: Actor,
  { scope, query, entityTypes, entityId }: RuleCondition,
  now: Date,
): Promise<RulePlan> {
  if (scope === 'job') return { scope, search: planSearch(viewer, { q: searchOf(query), tags: [] }, now).search };
  const q = entityId === null ? searchOf(query) : '';
  const nothing = { tags: [], since: null, minJobs: 0, isWatched: false, hidesAllowlisted: false, job: null };
  const { search } = await planEntitySearch(ports, viewer, { ...nothing, q, types: entityTypes }, now);
  if (entityId === null) return { scope, search };
  const term = { start: 0, end: 0, text: '', negated: false, key: null };
  return {
    scope,
    search: { now, root: { kind: 'term', term: { ...term, condition: { key: 'id', values: [entityId] } } } },
  };
}
