import type { AdminWorkflow } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';
import { stateOf } from './advise-workflow.ts';
import { readDefinition } from './read-workflow.ts';
import type { StoredWorkflow } from './workflow-store.ts';

export async function presentWorkflow(ports: Pick<Ports, 'engines'>, workflow: StoredWorkflow): Promise<AdminWorkflow> {
  const engines = await ports.engines.current();
  const { id, name, description, logTypes, definition, isDefault, enabled, origin, createdAt, updatedAt } = workflow;
  const tasks = readDefinition(definition).tasks ?? [];
  return {
    id,
    name,
    description,
    log_types: [...logTypes],
    tasks: definition,
    is_default: isDefault,
    enabled,
    origin,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    engines: tasks.map((task) => ({ tool: task.tool, state: stateOf(engines, task) })),
  };
}
