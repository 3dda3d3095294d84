import type { InputOf, operations } from '@svc/contracts';
import { type Actor, AppError, corePackName, notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { removeObjects } from './take-rule-pack.ts';

/** Removes a pack with all its versions; throws `not_found`, and `conflict` for the one that ships. */
export async function deleteRulePack(
  ports: Pick<Ports, 'log' | 'objects' | 'rulePacks'>,
  _actor: Actor,
  { name }: InputOf<typeof operations.deleteRulePack>,
): Promise<void> {
  if (name === corePackName) {
    throw new AppError('conflict', 'The core pack comes with the service and would be back; switch it off instead');
  }
  const versions = await ports.rulePacks.remove(name);
  if (!versions) throw notFound('rule pack');
  await removeObjects(ports, versions);
}
