import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { TransactionPorts } from '../../ports/transaction.ts';
import type { AdvicePorts } from './advise-workflow.ts';
import { checkWorkflow, refusedWorkflow, warningsOf } from './check-workflow.ts';
import { presentWorkflow } from './present-workflow.ts';
import type { StoredWorkflow } from './workflow-store.ts';

export type SavePorts = AdvicePorts & Pick<Ports, 'clock' | 'transaction'>;
type Saved = OutputOf<typeof operations.changeWorkflow>;

/** Makes a workflow. Throws `invalid_workflow` with all reasons. */
export async function createWorkflow(
  ports: SavePorts,
  _actor: Actor,
  input: InputOf<typeof operations.createWorkflow>,
): Promise<Saved> {
  const { name, description, log_types: logTypes, tasks: definition } = input;
  const { content, problems } = await checkWorkflow(ports, { name, description, logTypes, definition });
  if (content === null) throw refusedWorkflow(problems);
  const flags = { isDefault: input.is_default, enabled: input.enabled };
  const workflow = await ports.transaction(async (tx) =>
    read(tx, await tx.workflowStore.add({ ...content, ...flags }, ports.clock.now())),
  );
  return { workflow: await presentWorkflow(ports, workflow), warnings: warningsOf(problems) };
}

/**
 * Changes what the request names. What the workflow says is only looked at where that changes, so that one which was
 * stored before a rule of this version can be switched off. Throws `invalid_workflow` with all reasons.
 */
export async function changeWorkflow(
  ports: SavePorts,
  _actor: Actor,
  input: InputOf<typeof operations.changeWorkflow>,
): Promise<Saved> {
  const { id, name, description, log_types: logTypes, tasks: definition, is_default: isDefault, enabled } = input;
  const said = defined({ name, description, logTypes, definition });
  return ports.transaction(async (tx) => {
    const before = await read(tx, id);
    if (input.updated_at !== undefined && input.updated_at !== before.updatedAt.toISOString()) {
      throw new AppError('conflict', 'Somebody else has changed the workflow since it was read');
    }
    const { content, problems } = await checkWorkflow(ports, { ...before, ...said });
    const isSaid = Object.keys(said).length > 0;
    if (isSaid && content === null) throw refusedWorkflow(problems);
    const change = { ...(isSaid && content), ...defined({ isDefault, enabled }) };
    if (Object.keys(change).length > 0) await tx.workflowStore.change(id, change, ports.clock.now());
    return { workflow: await presentWorkflow(ports, await read(tx, id)), warnings: warningsOf(problems) };
  });
}

/** One that is there; throws `not_found`. */
export async function read(
  { workflowStore }: Pick<TransactionPorts, 'workflowStore'>,
  id: number,
): Promise<StoredWorkflow> {
  const workflow = await workflowStore.get(id);
  if (workflow === null) throw notFound('workflow');
  return workflow;
}

/** The fields that are stated. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as ReturnType<typeof defined<T>>;
}
