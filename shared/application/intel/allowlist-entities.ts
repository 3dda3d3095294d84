import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

type AllowlistPorts = Pick<Ports, 'clock' | 'transaction'>;

/** Turns the allowlisting of an entity over, with the reason why (resolved-intel 3.2). */
export function toggleAllowlist(
  { clock, transaction }: AllowlistPorts,
  actor: Actor,
  { id, reason }: InputOf<typeof operations.toggleAllowlist>,
): Promise<OutputOf<typeof operations.toggleAllowlist>> {
  return transaction(async (tx) => {
    await tx.entities.hold([id]);
    const entity = await tx.entities.get(id);
    if (entity === null) throw notFound('entity');
    const isAllowlisted = !entity.isAllowlisted;
    await tx.entities.allowlist([id], { isAllowlisted, reason: reason || null, by: idOf(actor), at: clock.now() });
    return { allowlisted: isAllowlisted };
  });
}

/** Allowlists entities, or takes them off; ids that are of none are skipped. */
export function allowlistEntities(
  { clock, transaction }: AllowlistPorts,
  actor: Actor,
  { entity_ids: ids, value, reason }: InputOf<typeof operations.allowlistEntities>,
): Promise<OutputOf<typeof operations.allowlistEntities>> {
  return transaction(async (tx) => {
    const held = await tx.entities.hold(ids);
    const change = { isAllowlisted: value, reason: reason || null, by: idOf(actor), at: clock.now() };
    const changed = await tx.entities.allowlist(held, change);
    return { changed: changed.length, entity_ids: [...changed] };
  });
}

function idOf(actor: Actor): string | null {
  return actor.kind === 'account' ? actor.userId : null;
}
