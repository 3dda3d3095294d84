import type { operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { toPackView } from './present-pack.ts';

/** The packs that are switched on, by name. */
export async function listPacksInForce(
  ports: Pick<Ports, 'clock' | 'rulePacks'>,
): Promise<OutputOf<typeof operations.listPacksInForce>> {
  const now = ports.clock.now();
  const packs = (await ports.rulePacks.list()).map(({ pack }) => toPackView(pack, now));
  return {
    packs: packs
      .filter(({ enabled }) => enabled)
      .map(({ name, is_stale, in_force: { version, licence, loaded, dated_at, age_days } }) => {
        return { name, is_stale, version, licence, loaded, dated_at, age_days };
      }),
  };
}
