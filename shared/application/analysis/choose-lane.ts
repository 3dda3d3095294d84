import type { LogType, WorkflowTask } from '@svc/domain';
import type { EnabledEngines } from '../ports/detection-engine.ts';
import type { Lane } from '../ports/task-queue.ts';
import { planTasks } from './plan-tasks.ts';

/**
 * Decides which lane an analysis waits in (architecture 3.3): the fast one when every task that will run is
 * of a built-in engine and the file is no larger than `fastMaxBytes`.
 */
export function chooseLane(
  { tasks, logType, sizeBytes }: { tasks: readonly WorkflowTask[]; logType: LogType; sizeBytes: number },
  engines: EnabledEngines,
  fastMaxBytes: number,
): Lane {
  const isBuiltIn = planTasks(tasks, logType, engines).every(({ engine }) => engine === null || engine.isBuiltIn);
  return isBuiltIn && sizeBytes <= fastMaxBytes ? 'fast' : 'heavy';
}
