/** Every reason a request can be refused for; clients key on these, not on the wording. */
export type ErrorCode =
  | 'bad_credentials'
  | 'bad_request'
  | 'conflict'
  | 'csrf'
  | 'demo_mode'
  | 'forbidden'
  | 'internal'
  | 'invalid_log_type'
  | 'length_required'
  | 'low_space'
  | 'method_not_allowed'
  | 'no_rule'
  | 'not_found'
  | 'one_file'
  | 'queue_unreachable'
  | 'rate_limited'
  | 'too_large'
  | 'unauthenticated'
  | 'unavailable'
  | 'unknown_workflow'
  | 'upload_missing'
  | 'workflow_mismatch';

/** HTTP status of each code: the one place that decides it. */
export const statusOf = {
  bad_credentials: 400,
  bad_request: 400,
  conflict: 409,
  csrf: 403,
  demo_mode: 403,
  forbidden: 403,
  internal: 500,
  invalid_log_type: 400,
  length_required: 411,
  low_space: 507,
  method_not_allowed: 405,
  no_rule: 404,
  not_found: 404,
  one_file: 400,
  queue_unreachable: 503,
  rate_limited: 429,
  too_large: 413,
  unauthenticated: 401,
  unavailable: 503,
  unknown_workflow: 400,
  upload_missing: 410,
  workflow_mismatch: 400,
} satisfies Record<ErrorCode, number>;

/** A refusal or failure with a code; anything else thrown is a bug and answers 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Missing and invisible look the same to the caller. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}`);
}
