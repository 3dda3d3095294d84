/** Fields beside the file (resolved-platform 10.1). */
export interface SendOptions {
  readonly workflowId: number;
  readonly logType: string;
  readonly isPrivate: boolean;
  readonly force: boolean;
  readonly tags: readonly string[];
  readonly caseId: number | null;
}

/** How a sending goes: what is being done with how many of the file's bytes. */
export interface SendWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, step: SendStep) => void;
  /** Makes repeating a form harmless; null for visitors. An upload of its own is submitted only once anyway. */
  readonly idempotencyKey: string | null;
}
export type SendStep = 'hashing' | 'sending';

/** The fields of a submission, as both of its shapes have them. */
export function fieldsOf(options: SendOptions) {
  return {
    workflow_id: options.workflowId,
    log_type_override: options.logType,
    is_private: options.isPrivate,
    force_resubmit: options.force,
    // As text, which a form and JSON take alike: a tag has no comma in it.
    tags: options.tags.join(','),
    ...(options.caseId !== null && { case_id: options.caseId }),
  };
}
