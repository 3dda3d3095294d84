/** Fields beside the file (resolved-platform 10.1). */
export interface SendOptions {
  readonly workflowId: number;
  readonly logType: string;
  readonly isPrivate: boolean;
  readonly force: boolean;
}

/** How a sending goes: what is being done with how many of the file's bytes. */
export interface SendWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, step: SendStep) => void;
}
export type SendStep = 'hashing' | 'sending';

/** The fields of a submission, as both of its shapes have them. */
export function fieldsOf(options: SendOptions) {
  return {
    workflow_id: options.workflowId,
    log_type_override: options.logType,
    is_private: options.isPrivate,
    force_resubmit: options.force,
  };
}
