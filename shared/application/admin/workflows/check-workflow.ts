import type { WorkflowProblem } from '@svc/contracts';
import type { TaskDefinition } from '@svc/contracts/workflow-definition.ts';
import { AppError, type LogType } from '@svc/domain';
import { adviseWorkflow, type AdvicePorts } from './advise-workflow.ts';
import { readDefinition, readHead } from './read-workflow.ts';
import type { WorkflowContent } from './workflow-store.ts';

/** How many are told at once. */
const mostProblems = 100;

interface Checked {
  /** What it says, with its name and texts trimmed; null where there are errors. */
  readonly content: WorkflowContent | null;
  /** Null where the definition cannot be read. */
  readonly tasks: readonly TaskDefinition[] | null;
  readonly problems: readonly WorkflowProblem[];
}

/** All that is to be said of a workflow: the one check of the form, of each save, and of what is stored. */
export async function checkWorkflow(ports: AdvicePorts, content: WorkflowContent): Promise<Checked> {
  const { name, description, logTypes, definition } = content;
  const { head, problems: ofHead } = readHead({ name, description, log_types: logTypes });
  const read = readDefinition(definition);
  const types: readonly LogType[] = head?.log_types ?? [];
  const advice = read.tasks === null ? [] : await adviseWorkflow(ports, { logTypes: types, tasks: read.tasks }, read);
  const isSound = head !== null && read.tasks !== null;
  return {
    content: isSound ? { name: head.name, description: head.description, logTypes: types, definition } : null,
    tasks: read.tasks,
    problems: [...ofHead, ...read.problems, ...advice].slice(0, mostProblems),
  };
}

/** The refusal that tells all errors, each with its key and line. */
export function refusedWorkflow(problems: readonly WorkflowProblem[]): AppError {
  const reasons = problems
    .filter(({ level }) => level === 'error')
    .map(({ key, message, line }) => ({
      code: 'invalid_workflow',
      message: `${key === '' ? 'The document' : key} ${message}${line === null ? '' : ` (line ${line})`}`,
    }));
  return new AppError('invalid_workflow', reasons.map(({ message }) => message).join('\n'), { reasons });
}

export function warningsOf(problems: readonly WorkflowProblem[]): WorkflowProblem[] {
  return problems.filter(({ level }) => level === 'warning');
}
