import { compatibleWorkflows, usualWorkflow, type Home, type SubmittedJob } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import type { SendOptions, SendStep } from '../../api/send-options.ts';

/** What the service said a file is; `unanswered` when it could not be asked. */
export type Detection =
  | { readonly at: 'asking' }
  | { readonly at: 'known'; readonly type: LogType }
  | { readonly at: 'unanswered' };

/** Where a file is on its way; `accepted` is the end of it here, the job has states of its own. */
export type Stage =
  | { readonly at: 'ready' }
  | { readonly at: 'waiting'; readonly reason: string | null; readonly until: number }
  | { readonly at: 'sending'; readonly step: SendStep; readonly done: number }
  | { readonly at: 'accepted'; readonly job: SubmittedJob }
  | { readonly at: 'refused'; readonly message: string; readonly requestId: string | null; readonly final: boolean };

/** A chosen file on its way to becoming a job. */
export interface Submission {
  readonly key: number;
  readonly file: File;
  readonly detection: Detection;
  /** What the user chose instead of the detected type. */
  readonly chosenType: LogType | null;
  /** What the user chose instead of the workflow that fits the type. */
  readonly chosenWorkflow: number | null;
  readonly stage: Stage;
}

export type WorkflowChoice = Home['workflows'][number];

/** Type that the file will be analysed as, as far as it is known. */
export function typeOf({ chosenType, detection }: Submission): LogType | null {
  if (chosenType !== null) return chosenType;
  return detection.at === 'known' ? detection.type : null;
}

/** The chosen workflow if it takes the type, else the usual one; null when none does. */
export function workflowOf(submission: Submission, workflows: readonly WorkflowChoice[]): WorkflowChoice | null {
  const type = typeOf(submission);
  const chosen = compatibleWorkflows(workflows, type).find(({ id }) => id === submission.chosenWorkflow);
  return chosen ?? usualWorkflow(workflows, type);
}

/** Whether the file can be sent as it stands. */
export function canSend(submission: Submission, workflows: readonly WorkflowChoice[]): boolean {
  const { at } = submission.stage;
  return at === 'ready' && submission.detection.at !== 'asking' && workflowOf(submission, workflows) !== null;
}

/** What the file is sent with as it stands; only for one that `canSend` or was refused. */
export function sendOptions(
  submission: Submission,
  workflows: readonly WorkflowChoice[],
  isPrivate: boolean,
  force = false,
): SendOptions {
  const workflow = workflowOf(submission, workflows);
  if (workflow === null) throw new Error(`No workflow takes ${submission.file.name}`);
  return { workflowId: workflow.id, logType: submission.chosenType ?? 'auto', isPrivate, force };
}
