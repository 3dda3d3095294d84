import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { findPack, toOverrideViews } from './present-pack.ts';
import type { ArtifactPorts } from './rule-artifact.ts';
import { catalogOf } from './rule-catalog.ts';

/**
 * Decides about one rule of a pack, for this version and all that follow; what leaves it as it is takes a
 * decision back. Throws `not_found` for a rule that the pack has not, and nothing was decided about.
 */
export async function overrideRule(
  ports: ArtifactPorts & Pick<Ports, 'rulePacks'>,
  _actor: Actor,
  { name, rule_id: ruleId, enabled, level }: InputOf<typeof operations.overrideRule>,
): Promise<OutputOf<typeof operations.overrideRule>> {
  const { pack, overrides } = await findPack(ports, name);
  const isDecided = overrides.some((override) => override.ruleId === ruleId);
  if (!isDecided && !(await catalogOf(ports, pack.inForce)).rules.some(({ id }) => id?.toLowerCase() === ruleId)) {
    throw notFound('rule');
  }
  const decision = enabled && level === null ? null : { enabled, level };
  if (!(await ports.rulePacks.override(name, ruleId, decision))) throw notFound('rule pack');
  return { overrides: toOverrideViews((await findPack(ports, name)).overrides) };
}
