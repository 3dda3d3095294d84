import type { InputOf, operations, TaxiiEnvelope } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { identity } from '../stix.ts';
import { toldObjects } from './list-taxii-objects.ts';
import { toldPage, uuidOf, type ToldPage } from './told-page.ts';

/** One object of a collection, or an empty page where the filters do not fit it. Throws `not_found`. */
export async function getTaxiiObject(
  ports: Pick<Ports, 'entities' | 'entityBlame' | 'toldEntities'>,
  viewer: Actor,
  { collection, object_id: id, ...asked }: InputOf<typeof operations.getTaxiiObject>,
): Promise<TaxiiEnvelope & Pick<ToldPage, 'added'>> {
  const page = await toldPage(ports, collection, { ...asked, 'match[id]': [id] });
  if (page.added === null) await refuseMissing(ports, collection, id);
  return {
    more: false,
    objects: [...page.identity, ...(await toldObjects(ports, viewer, page.told))],
    added: page.added,
  };
}

async function refuseMissing(
  { toldEntities }: Pick<Ports, 'toldEntities'>,
  collection: InputOf<typeof operations.getTaxiiObject>['collection'],
  id: string,
): Promise<void> {
  if (id === identity.id) return;
  const uuid = uuidOf(id);
  const all = { after: null, versions: null, limit: 1 };
  const found = uuid === null ? [] : await toldEntities.page(collection, { ...all, stixIds: [uuid] });
  if (found.length === 0) throw notFound('object');
}
