import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { reviseOwnPack } from './save-rule.ts';
import type { PackPorts } from './take-rule-pack.ts';

/** Removes a rule from the pack of the administrators' own; throws `not_found`, `pack_refused` and `conflict`. */
export async function deleteRule(
  ports: PackPorts,
  actor: Actor,
  { rule_id: id }: InputOf<typeof operations.deleteRule>,
): Promise<void> {
  await reviseOwnPack(ports, actor, { id, text: null });
}
