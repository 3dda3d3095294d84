import type { operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { toPackView } from './present-pack.ts';

/** All rule packs, by name. */
export async function listRulePacks({
  clock,
  rulePacks,
}: Pick<Ports, 'clock' | 'rulePacks'>): Promise<OutputOf<typeof operations.listRulePacks>> {
  const now = clock.now();
  return { packs: (await rulePacks.list()).map(({ pack }) => toPackView(pack, now)) };
}
