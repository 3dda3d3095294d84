import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findPack, toOverrideViews, toPackView, toVersionView } from './present-pack.ts';

/** A rule pack with the versions of it that are kept, the one in force first; throws `not_found`. */
export async function getRulePack(
  ports: Pick<Ports, 'clock' | 'rulePacks'>,
  _actor: Actor,
  { name }: InputOf<typeof operations.getRulePack>,
): Promise<OutputOf<typeof operations.getRulePack>> {
  const { pack, overrides } = await findPack(ports, name);
  const now = ports.clock.now();
  const versions = await ports.rulePacks.versions(name);
  return {
    ...toPackView(pack, now),
    versions: versions.map((version) => toVersionView(version, now)),
    overrides: toOverrideViews(overrides),
  };
}
