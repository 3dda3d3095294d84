import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** All workflows, ordered by name. */
export async function listWorkflows(
  { workflows }: Pick<Ports, 'workflows'>,
  _actor: Actor,
): Promise<OutputOf<typeof operations.listWorkflows>> {
  const all = await workflows.list();
  return {
    workflows: all.map(({ id, name, logTypes, isDefault }) => ({
      id,
      name,
      log_types: [...logTypes],
      is_default: isDefault,
    })),
  };
}
