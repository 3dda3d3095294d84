import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { getTaxiiObject } from './get-taxii-object.ts';
import type { ToldPage } from './told-page.ts';

/** The versions of one object, of which only the newest is kept. Throws `not_found`. */
export async function listTaxiiVersions(
  ports: Pick<Ports, 'entities' | 'entityBlame' | 'toldEntities'>,
  viewer: Actor,
  asked: InputOf<typeof operations.listTaxiiVersions>,
): Promise<OutputOf<typeof operations.listTaxiiVersions> & Pick<ToldPage, 'added'>> {
  const { objects, added } = await getTaxiiObject(ports, viewer, asked);
  return { more: false, versions: objects.map((one) => String(one['modified'])), added };
}
