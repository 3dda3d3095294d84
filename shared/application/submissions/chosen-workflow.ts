import { AppError, type Workflow } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** The workflow that a new job is to use; throws `unknown_workflow` where there is none, or it is switched off. */
export async function chosenWorkflow({ workflows }: Pick<Ports, 'workflows'>, id: number): Promise<Workflow> {
  const workflow = await workflows.get(id);
  if (!workflow) throw new AppError('unknown_workflow', 'There is no such workflow, or it is switched off');
  return workflow;
}
