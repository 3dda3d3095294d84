import { compatibleWorkflows, usualWorkflow, type Home, type SubmittedJob } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import type { SendOptions, SendStep } from '../../api/send-options.ts';

/** What the service would find a file to be; `unanswered` when that could not be told. */
export type Detection =
  | { readonly at: 'asking' }
  /** `notLog` says what it is where it is plainly no log, such as “a picture (PNG)”. */
  | { readonly at: 'known'; readonly type: LogType; readonly notLog: string | null }
  | { readonly at: 'unanswered' };

/** Where a file is on its way; `accepted` is the end of it here, the job has states of its own. */
export type Stage =
  | { readonly at: 'ready' }
  | { readonly at: 'waiting'; readonly reason: string | null; readonly until: number }
  | { readonly at: 'sending'; readonly step: SendStep; readonly done: number }
  | { readonly at: 'accepted'; readonly job: SubmittedJob }
  | {
      readonly at: 'refused';
      readonly message: string;
      /** Of the service's refusal; null when there was no answer. */
      readonly code: string | null;
      readonly requestId: string | null;
      readonly final: boolean;
    };

/** How files are submitted: chosen once for all, and again for a file that differs. */
export interface Options {
  /** Null for the type that each file is found to be. */
  readonly type: LogType | null;
  /** Null for the workflow that fits the type. */
  readonly workflow: number | null;
  readonly isPrivate: boolean;
  /** Analyses known bytes anew. */
  readonly force: boolean;
  readonly tags: readonly string[];
  readonly caseId: number | null;
}

export const plainOptions: Options = {
  type: null,
  workflow: null,
  isPrivate: false,
  force: false,
  tags: [],
  caseId: null,
};

/** A chosen file on its way to becoming a job. */
export interface Submission {
  readonly key: number;
  readonly file: File;
  readonly detection: Detection;
  /** Options in which it differs from the others. */
  readonly own: Partial<Options>;
  readonly stage: Stage;
}

/** What decides how a file is read, as far as it is chosen for all. */
export type CommonReading = Pick<Options, 'type' | 'workflow'>;

export type WorkflowChoice = Home['workflows'][number];

/** Type that the file will be analysed as, as far as it is known. */
export function typeOf({ own, detection }: Submission, common: CommonReading): LogType | null {
  const type = own.type === undefined ? common.type : own.type;
  if (type !== null) return type;
  return detection.at === 'known' ? detection.type : null;
}

/** The chosen workflow if it takes the type, else the usual one; null when none does. */
export function workflowOf(
  submission: Submission,
  common: CommonReading,
  workflows: readonly WorkflowChoice[],
): WorkflowChoice | null {
  const type = typeOf(submission, common);
  const chosen = submission.own.workflow ?? common.workflow;
  return compatibleWorkflows(workflows, type).find(({ id }) => id === chosen) ?? usualWorkflow(workflows, type);
}

/** Whether the file can be sent as it stands. */
export function canSend(submission: Submission, common: CommonReading, workflows: readonly WorkflowChoice[]): boolean {
  const { at } = submission.stage;
  return at === 'ready' && submission.detection.at !== 'asking' && workflowOf(submission, common, workflows) !== null;
}

/** Whether its options can still be changed: before it is sent, and after a refusal. */
export function isOpen({ stage }: Submission): boolean {
  return stage.at === 'ready' || (stage.at === 'refused' && !stage.final);
}

/** What the file is sent with as it stands; only for one that `canSend` or was refused. */
export function sendOptions(
  submission: Submission,
  common: Options,
  workflows: readonly WorkflowChoice[],
): SendOptions {
  const workflow = workflowOf(submission, common, workflows);
  if (workflow === null) throw new Error(`No workflow takes ${submission.file.name}`);
  const { type, isPrivate, force, tags, caseId } = { ...common, ...submission.own };
  return { workflowId: workflow.id, logType: type ?? 'auto', isPrivate, force, tags, caseId };
}
