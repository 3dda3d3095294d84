import type { AdminWorkflow } from '@svc/contracts';
import type { LogType } from '@svc/domain';

/** A workflow as it is being written. */
export interface WorkflowDraft {
  readonly name: string;
  readonly description: string;
  readonly log_types: readonly LogType[];
  /** The definition, as YAML. */
  readonly tasks: string;
}

/** One to begin with. */
export const newWorkflow: WorkflowDraft = {
  name: '',
  description: '',
  log_types: [],
  tasks: 'tasks:\n  - tool: sigma-native\n    packs: all\n    timeout: 1800\n',
};

export function draftOf({ name, description, log_types, tasks }: AdminWorkflow | WorkflowDraft): WorkflowDraft {
  return { name, description, log_types, tasks };
}

export function isSame(a: WorkflowDraft, b: WorkflowDraft): boolean {
  return JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));
}

/** All that one says, to be held against another. */
export function wholeText({ name, description, log_types: types, tasks }: WorkflowDraft): string {
  return `name: ${name}\ndescription: ${description}\nlog_types: ${types.join(', ') || 'every type'}\n${tasks}`;
}
