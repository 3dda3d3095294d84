import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { aliasName } from './unite-entities.ts';

const most = 10;

/** What an entity may be the same as: by its value, or by a text that somebody looks for. */
export async function suggestAliases(
  { entities, entityAliases }: Pick<Ports, 'entities' | 'entityAliases'>,
  _actor: Actor,
  { id, q }: InputOf<typeof operations.suggestAliases>,
): Promise<OutputOf<typeof operations.suggestAliases>> {
  const entity = await entities.get(id);
  if (entity === null) throw notFound('entity');
  const found = await entityAliases.likely(entity, q.trim(), most);
  return { items: found.map((one) => ({ ...aliasName(one), job_count: one.jobCount })) };
}
