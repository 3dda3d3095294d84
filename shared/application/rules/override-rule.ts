import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findPack, toOverrideViews } from './present-pack.ts';

/** Decides about one rule of a pack, whatever its version; what leaves it as it is takes a decision back. */
export async function overrideRule(
  ports: Pick<Ports, 'rulePacks'>,
  _actor: Actor,
  { name, rule_id: ruleId, enabled, level }: InputOf<typeof operations.overrideRule>,
): Promise<OutputOf<typeof operations.overrideRule>> {
  const decision = enabled && level === null ? null : { enabled, level };
  if (!(await ports.rulePacks.override(name, ruleId, decision))) throw notFound('rule pack');
  return { overrides: toOverrideViews((await findPack(ports, name)).overrides) };
}
