import type { RuleList as RuleListView } from '@svc/contracts';
import { hasRole, notFound, type Actor, type RuleList } from '@svc/domain';
import { listsIn } from './rule-condition.ts';
import type { ListUser } from './rule-list-repository.ts';

/** A list as its readers see it; throws `not_found` for none. */
export function presentRuleList(list: RuleList | null, actor: Actor, users: readonly ListUser[]): RuleListView {
  if (list === null) throw notFound('list');
  const isAdmin = hasRole(actor, 'admin');
  const own = actor.kind === 'account' ? actor.userId : '';
  const seen = users.filter(({ ownerId }) => isAdmin || ownerId === null || ownerId === own);
  return {
    id: list.id,
    name: list.name,
    match: list.match,
    description: list.description,
    values: [...list.values],
    count: list.values.length,
    used_by: usersOf(list, seen),
    ...(isAdmin && { source_url: list.sourceUrl }),
    has_source: list.sourceUrl !== null,
    refresh_hours: list.refreshHours,
    last_fetched_at: list.lastFetchedAt?.toISOString() ?? null,
    last_fetch_ok: list.lastFetchOk,
    last_fetch_error: list.lastFetchError,
  };
}

/** The names of the rules that ask for a list. */
export function usersOf({ name }: Pick<RuleList, 'name'>, users: readonly ListUser[]): string[] {
  return users.filter(({ query }) => listsIn('entity', query).includes(name)).map((user) => user.name);
}
