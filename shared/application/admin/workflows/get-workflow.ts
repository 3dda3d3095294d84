import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { WorkflowSeed } from '../../submissions/workflow-repository.ts';
import type { AdvicePorts } from './advise-workflow.ts';
import { checkWorkflow } from './check-workflow.ts';
import { presentWorkflow } from './present-workflow.ts';
import type { StoredWorkflow } from './workflow-store.ts';

/** A workflow with what is to be said of it and, for one that ships, what its file says now. */
export async function getWorkflow(
  ports: AdvicePorts & Pick<Ports, 'shipped' | 'workflowStore'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.getWorkflow>,
): Promise<OutputOf<typeof operations.getWorkflow>> {
  const workflow = await ports.workflowStore.get(id);
  if (workflow === null) throw notFound('workflow');
  const [{ problems }, shipped] = await Promise.all([checkWorkflow(ports, workflow), shippedOf(ports, workflow)]);
  return {
    workflow: await presentWorkflow(ports, workflow),
    problems: [...problems],
    shipped: shipped && {
      name: shipped.name,
      description: shipped.description,
      log_types: [...shipped.logTypes],
      tasks: shipped.definition,
    },
  };
}

/** What the file says that a workflow comes from; null for one of the site's own, and where the product has it no more. */
export async function shippedOf(
  { shipped }: Pick<Ports, 'shipped'>,
  { shippedAs, origin, name }: StoredWorkflow,
): Promise<WorkflowSeed | null> {
  if (origin === 'own') return null;
  const { workflows } = await shipped.workflows();
  return workflows.find((one) => one.name === (shippedAs ?? name)) ?? null;
}
