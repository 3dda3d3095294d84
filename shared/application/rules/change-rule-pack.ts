import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findPack, toPackView } from './present-pack.ts';

/** Switches a pack on or off, or puts a kept version of it in force again; throws `not_found`. */
export async function changeRulePack(
  ports: Pick<Ports, 'clock' | 'rulePacks'>,
  _actor: Actor,
  { name, enabled, version_id: inForce }: InputOf<typeof operations.changeRulePack>,
): Promise<OutputOf<typeof operations.changeRulePack>> {
  const change = { ...(enabled !== undefined && { enabled }), ...(inForce !== undefined && { inForce }) };
  if (!(await ports.rulePacks.change(name, change))) throw notFound('rule pack, or version of it');
  return toPackView((await findPack(ports, name)).pack, ports.clock.now());
}
