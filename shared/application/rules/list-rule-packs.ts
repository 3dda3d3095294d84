import type { operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { checkRulePacks } from './check-rule-packs.ts';
import { toPackView } from './present-pack.ts';

/** All rule packs, by name, and what is to be done about them. */
export async function listRulePacks(
  ports: Pick<Ports, 'clock' | 'deployment' | 'rulePacks'>,
): Promise<OutputOf<typeof operations.listRulePacks>> {
  const now = ports.clock.now();
  const packs = (await ports.rulePacks.list()).map(({ pack }) => toPackView(pack, now));
  return { packs, readiness: await checkRulePacks(ports) };
}
