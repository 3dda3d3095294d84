import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { ListCursor } from '../jobs/job-lists.ts';
import type { Ports } from '../ports/ports.ts';
import { entitySorts, type EntityOrder } from './entity-lists.ts';
import { entityFilters, planEntitySearch } from './plan-entity-search.ts';
import { toEntityRow } from './present-entity.ts';

const per = 50;
const kinds = { phrase: 'literal', conjunction: 'terms', boolean: 'boolean' } as const;

/** Entities that meet a search, as sorted (resolved-intel 4.2). */
export async function listEntities(
  ports: Pick<Ports, 'clock' | 'entityLists' | 'jobViews' | 'ruleLists'>,
  actor: Actor,
  input: InputOf<typeof operations.listEntities>,
): Promise<OutputOf<typeof operations.listEntities>> {
  const { page, cursor, sort } = input;
  const plan = await planEntitySearch(ports, actor, entityFilters(input), ports.clock.now());
  const place = { page, per, cursor: readCursor(cursor) };
  const found = await ports.entityLists.page(actor, plan.search, place, orderOf(sort));
  return {
    items: found.entities.map(toEntityRow),
    total: found.total,
    approximate: false,
    page: found.page,
    total_pages: Math.max(1, Math.ceil(found.total / per)),
    older: written(found.older),
    newer: written(found.newer),
    notices: [...plan.notices],
    query_errors: plan.problems.map(({ start, end, term, reason }) => ({ start, end, term, reason })),
    query_kind: kinds[plan.mode],
  };
}

function orderOf(sort: string): EntityOrder {
  const name = sort.replace(/^-/, '');
  const by = entitySorts.find((known) => known === name);
  return { by: by ?? 'last_seen', isReversed: by !== undefined && sort.startsWith('-') };
}

/** Texts are in bytes of the alphabet of addresses. */
function written(cursor: ListCursor | null): string | null {
  if (cursor === null) return null;
  const key = typeof cursor.key === 'number' ? String(cursor.key) : `t${Buffer.from(cursor.key).toString('base64url')}`;
  return `${cursor.side}-${key}-${cursor.id}`;
}

function readCursor(text: string | undefined): ListCursor | null {
  const [, side, key = '', id] = /^(older|newer)-([\w-]+)-(\d+)$/.exec(text ?? '') ?? [];
  if (side === undefined) return null;
  return {
    side: side === 'newer' ? 'newer' : 'older',
    key: key.startsWith('t') ? Buffer.from(key.slice(1), 'base64url').toString() : Number(key) || 0,
    id: Number(id),
  };
}
