import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { stixType, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { identity as whoSays } from '../stix.ts';
import { identityAdded, toldPage, type ToldPage } from './told-page.ts';

/** What a page of a collection has, without what its objects say (resolved-intel 19). */
export async function getTaxiiManifest(
  ports: Pick<Ports, 'toldEntities'>,
  _viewer: Actor,
  { collection, ...asked }: InputOf<typeof operations.getTaxiiManifest>,
): Promise<OutputOf<typeof operations.getTaxiiManifest> & Pick<ToldPage, 'added'>> {
  const { identity, told, next, added } = await toldPage(ports, collection, asked);
  const objects = [
    ...identity.map(({ id }) => ({ id, date_added: identityAdded, version: whoSays.modified })),
    ...told.map(({ stixId, toldAt, lastSeenAt }) => ({
      id: `indicator--${stixId}`,
      date_added: toldAt,
      version: lastSeenAt.toISOString(),
    })),
  ];
  return {
    more: next !== null,
    ...(next !== null && { next }),
    objects: objects.map((one) => ({ ...one, media_type: stixType })),
    added,
  };
}
