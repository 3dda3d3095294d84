import { logTypeLabels, type LogType, type WorkflowTask } from '@svc/domain';
import type { DetectionEngine, EnabledEngines } from '../ports/detection-engine.ts';

/** A task of a workflow and what becomes of it here. */
export type PlannedTask =
  | { readonly task: WorkflowTask; readonly engine: DetectionEngine; readonly skipped: null }
  | { readonly task: WorkflowTask; readonly engine: null; readonly skipped: string };

/**
 * Decides for each task of a workflow whether it runs. One whose engine is not enabled is left out
 * when the workflow says so (architecture 6), else skipped with the reason.
 */
export function planTasks(tasks: readonly WorkflowTask[], logType: LogType, engines: EnabledEngines): PlannedTask[] {
  return tasks.flatMap((task): PlannedTask[] => {
    const engine = engines.get(task);
    if (engine === null && task.whenAvailable) return [];
    if (engine === null) return [{ task, engine: null, skipped: `The engine ${task.tool} is not enabled here` }];
    if (engine.supportedTypes !== null && !engine.supportedTypes.has(logType)) {
      return [{ task, engine: null, skipped: `${task.tool} cannot read ${logTypeLabels[logType]}: not supported` }];
    }
    return [{ task, engine, skipped: null }];
  });
}
