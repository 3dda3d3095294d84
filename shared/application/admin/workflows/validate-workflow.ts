import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { AdvicePorts } from './advise-workflow.ts';
import { checkWorkflow } from './check-workflow.ts';

/** What would be said of a workflow if it were saved so. */
export async function validateWorkflow(
  ports: AdvicePorts,
  _actor: Actor,
  { name, log_types: logTypes, tasks: definition }: InputOf<typeof operations.validateWorkflow>,
): Promise<OutputOf<typeof operations.validateWorkflow>> {
  const { content, problems } = await checkWorkflow(ports, { name, description: '', logTypes, definition });
  return { valid: content !== null, problems: [...problems] };
}
