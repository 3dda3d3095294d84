import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { stixType, taxiiCollections, type Actor } from '@svc/domain';

type Collection = OutputOf<typeof operations.getTaxiiCollection>;

/** The collections that there are, for everyone alike. */
export async function listTaxiiCollections(): Promise<OutputOf<typeof operations.listTaxiiCollections>> {
  return { collections: taxiiCollections.map(toView) };
}

export async function getTaxiiCollection(
  _ports: object,
  _viewer: Actor,
  { collection }: InputOf<typeof operations.getTaxiiCollection>,
): Promise<Collection> {
  return toView(taxiiCollections.find(({ alias }) => alias === collection)!);
}

function toView({ id, alias, description }: (typeof taxiiCollections)[number]): Collection {
  return { id, title: alias, description, alias, can_read: true, can_write: false, media_types: [stixType] };
}
