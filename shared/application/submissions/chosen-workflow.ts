import { AppError, supportsType, type LogType, type Workflow } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** The workflow that a new job is to use; throws `unknown_workflow` where there is none, or it is switched off. */
export async function chosenWorkflow({ workflows }: Pick<Ports, 'workflows'>, id: number): Promise<Workflow> {
  const workflow = await workflows.get(id);
  if (!workflow) throw new AppError('unknown_workflow', 'There is no such workflow, or it is switched off');
  return workflow;
}

/** Throws `workflow_mismatch` where the workflow is for other logs than this one. */
export function checkTakes(workflow: Workflow, logType: LogType): void {
  if (supportsType(workflow, logType)) return;
  throw new AppError(
    'workflow_mismatch',
    logType === 'unknown'
      ? `This is no log of a known type, by its beginning: it may be empty, encrypted or damaged. “${workflow.name}” does not take it; say which type it is if you know better`
      : `“${workflow.name}” does not take logs of type ${logType}`,
  );
}
