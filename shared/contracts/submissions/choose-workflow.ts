import type { LogType } from '@svc/domain';
import type { Workflow } from './operations.ts';

/** Workflows that take this type; all of them while the type is not known. */
export function compatibleWorkflows<W extends Workflow>(workflows: readonly W[], type: LogType | null): readonly W[] {
  if (type === null) return workflows;
  return workflows.filter(({ log_types: types }) => types.length === 0 || types.includes(type));
}

/** The workflow to use unless another is asked for: the default one if it takes the type, else the first that does. */
export function usualWorkflow<W extends Workflow>(workflows: readonly W[], type: LogType | null): W | null {
  const fitting = compatibleWorkflows(workflows, type);
  return fitting.find(({ is_default: isDefault }) => isDefault) ?? fitting[0] ?? null;
}
