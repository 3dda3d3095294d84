import type { InputOf, operations, TaxiiEnvelope } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { indicatorsOf } from '../find-indicators.ts';
import { indicatorObject, type StixObject } from '../stix.ts';
import type { ToldEntity } from '../told-entities.ts';
import { toldPage, type ToldPage } from './told-page.ts';

type ObjectPorts = Pick<Ports, 'entities' | 'entityBlame' | 'toldEntities'>;

/** A page of a collection as indicators, and who says so before them (resolved-intel 19). */
export async function listTaxiiObjects(
  ports: ObjectPorts,
  viewer: Actor,
  { collection, ...asked }: InputOf<typeof operations.listTaxiiObjects>,
): Promise<TaxiiEnvelope & Pick<ToldPage, 'added'>> {
  const { identity, told, next, added } = await toldPage(ports, collection, asked, { repeatsIdentity: true });
  const objects = [...identity, ...(await toldObjects(ports, viewer, told))];
  return { more: next !== null, ...(next !== null && { next }), objects, added };
}

/** In their order; without what was removed meanwhile. */
export async function toldObjects(
  ports: ObjectPorts,
  viewer: Actor,
  told: readonly ToldEntity[],
): Promise<StixObject[]> {
  if (told.length === 0) return [];
  const found = await ports.entities.some(told.map(({ id }) => id));
  return (await indicatorsOf(ports, viewer, found)).flatMap((one) => indicatorObject(one) ?? []);
}
