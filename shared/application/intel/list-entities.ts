import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { readCursor, writtenCursor } from './entity-cursor.ts';
import { entitySorts, type EntityOrder } from './entity-lists.ts';
import { entityFilters, planEntitySearch } from './plan-entity-search.ts';
import { starredBy, toEntityRow } from './present-entity.ts';

const per = 50;
const kinds = { phrase: 'literal', conjunction: 'terms', boolean: 'boolean' } as const;

/** Entities that meet a search, as sorted (resolved-intel 4.2). */
export async function listEntities(
  ports: Pick<Ports, 'alertRules' | 'clock' | 'entityLists' | 'jobViews' | 'ruleLists'>,
  actor: Actor,
  input: InputOf<typeof operations.listEntities>,
): Promise<OutputOf<typeof operations.listEntities>> {
  const { page, cursor } = input;
  const plan = await planEntitySearch(ports, actor, entityFilters(input), ports.clock.now());
  const place = { page, per, cursor: readCursor(cursor) };
  const found = await ports.entityLists.page(actor, plan.search, place, orderOf(input));
  const ids = found.entities.map(({ id }) => id);
  const starred = await starredBy(ports, actor, ids);
  return {
    items: found.entities.map((entity) => toEntityRow(entity, starred)),
    total: found.total,
    approximate: false,
    page: found.page,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    older: writtenCursor(found.older),
    newer: writtenCursor(found.newer),
    notices: [...plan.notices],
    query_errors: plan.problems.map(({ start, end, term, reason }) => ({ start, end, term, reason })),
    query_kind: kinds[plan.mode],
  };
}

export function orderOf({
  sort,
  fold_aliases: foldsAliases,
}: Pick<InputOf<typeof operations.listEntities>, 'sort' | 'fold_aliases'>): EntityOrder {
  const name = sort.replace(/^-/, '');
  const by = entitySorts.find((known) => known === name);
  return { by: by ?? 'last_seen', isReversed: by !== undefined && sort.startsWith('-'), foldsAliases };
}
