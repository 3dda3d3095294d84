import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, notFound, workflowLimits, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { checkWorkflow, warningsOf } from './check-workflow.ts';
import { shippedOf } from './get-workflow.ts';
import { presentWorkflow } from './present-workflow.ts';
import { read, type SavePorts } from './save-workflow.ts';

type Saved = OutputOf<typeof operations.changeWorkflow>;

/** Deletes a workflow. Its row stays hidden: jobs keep its name, and those that wait or are read again its tasks. */
export async function deleteWorkflow(
  { clock, transaction }: Pick<Ports, 'clock' | 'transaction'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.deleteWorkflow>,
): Promise<OutputOf<typeof operations.deleteWorkflow>> {
  return transaction(async (tx) => {
    const { name } = await read(tx, id);
    await tx.workflowStore.change(id, { isDefault: false, deletedAt: clock.now() }, clock.now());
    return { id, name };
  });
}

/** Makes a copy, switched off so that nobody uses it before it is what it is to be. */
export async function duplicateWorkflow(
  ports: SavePorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.duplicateWorkflow>,
): Promise<Saved> {
  return ports.transaction(async (tx) => {
    const { description, logTypes, definition, ...from } = await read(tx, id);
    const taken = (await tx.workflowStore.all()).flatMap((one) => (one.deletedAt === null ? one.name : []));
    const name = freeName(from.name, taken);
    const copy = { name, description, logTypes, definition, isDefault: false, enabled: false };
    const workflow = await read(tx, await tx.workflowStore.add(copy, ports.clock.now()));
    const { problems } = await checkWorkflow(ports, workflow);
    return { workflow: await presentWorkflow(ports, workflow), warnings: warningsOf(problems) };
  });
}

/** `Name (copy)`, `Name (copy 2)` and so on. */
function freeName(name: string, taken: readonly string[]): string {
  for (let copy = 1; ; copy += 1) {
    const end = copy === 1 ? ' (copy)' : ` (copy ${copy})`;
    const free = `${name.slice(0, workflowLimits.name - end.length)}${end}`;
    if (!taken.includes(free)) return free;
  }
}

/** Has a workflow that ships say again what its file says, also one that was deleted. */
export async function resetWorkflow(
  ports: SavePorts & Pick<Ports, 'shipped'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.resetWorkflow>,
): Promise<Saved> {
  return ports.transaction(async (tx) => {
    const before = (await tx.workflowStore.all()).find((one) => one.id === id);
    if (before === undefined || (before.deletedAt !== null && before.shippedAs === null)) throw notFound('workflow');
    const file = await shippedOf(ports, before);
    if (file === null) throw new AppError('conflict', 'No shipped file says what this workflow is to be');
    const { isDefault: _default, ...content } = file;
    await tx.workflowStore.change(id, { ...content, deletedAt: null, isAsShipped: true }, ports.clock.now());
    const workflow = await read(tx, id);
    const { problems } = await checkWorkflow(ports, workflow);
    return { workflow: await presentWorkflow(ports, workflow), warnings: warningsOf(problems) };
  });
}
