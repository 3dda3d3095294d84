import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { taxiiCollections, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Which feeds this deployment has. */
export async function getFeeds(
  { deployment }: Pick<Ports, 'deployment'>,
  _viewer: Actor,
  _asked: InputOf<typeof operations.getFeeds>,
): Promise<OutputOf<typeof operations.getFeeds>> {
  return { taxii: deployment.taxii, collections: [...taxiiCollections] };
}
