import type { operations, OutputOf } from '@svc/contracts';
import type { Actor, Workflow } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** All workflows, ordered by name. */
export async function listWorkflows(
  { workflows }: Pick<Ports, 'workflows'>,
  _actor: Actor,
): Promise<OutputOf<typeof operations.listWorkflows>> {
  return { workflows: (await workflows.list()).map(toWorkflow) };
}

export function toWorkflow({ id, name, logTypes, isDefault }: Workflow) {
  return { id, name, log_types: [...logTypes], is_default: isDefault };
}
