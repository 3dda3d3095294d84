/** Every reason a request can be refused for; clients key on these, not on the wording. */
export type ErrorCode =
  | 'ai_budget'
  | 'bad_credentials'
  | 'bad_key'
  | 'bad_password'
  | 'bad_request'
  | 'bad_token'
  | 'busy'
  | 'case_gone'
  | 'case_not_found'
  | 'confirm_password'
  | 'conflict'
  | 'coordination_down'
  | 'csrf'
  | 'current_password_required'
  | 'demo_mode'
  | 'digest_mismatch'
  | 'email_taken'
  | 'feature_off'
  | 'forbidden'
  | 'internal'
  | 'invalid_log_type'
  | 'invalid_rule'
  | 'invalid_workflow'
  | 'job_gone'
  | 'key_reused'
  | 'last_admin'
  | 'length_mismatch'
  | 'length_required'
  | 'list_in_use'
  | 'low_space'
  | 'method_not_allowed'
  | 'missing_scope'
  | 'moved'
  | 'no_receipt'
  | 'no_rule'
  | 'no_upload'
  | 'no_webhook'
  | 'not_analysable'
  | 'not_acceptable'
  | 'not_found'
  | 'note_conflict'
  | 'one_file'
  | 'pack_refused'
  | 'queue_unreachable'
  | 'rate_limited'
  | 'rule_limit'
  | 'self_change'
  | 'too_large'
  | 'too_many'
  | 'unauthenticated'
  | 'unavailable'
  | 'unknown_workflow'
  | 'upload_incomplete'
  | 'upload_missing'
  | 'upload_used'
  | 'search_limit'
  | 'tag_maintained'
  | 'watch_limit'
  | 'weak_password'
  | 'webhook_disabled'
  | 'workflow_mismatch';

/** HTTP status of each code: the one place that decides it. */
export const statusOf = {
  ai_budget: 429,
  bad_credentials: 400,
  bad_key: 400,
  bad_password: 400,
  bad_request: 400,
  bad_token: 401,
  busy: 429,
  case_gone: 410,
  case_not_found: 404,
  confirm_password: 403,
  conflict: 409,
  coordination_down: 503,
  csrf: 403,
  current_password_required: 400,
  demo_mode: 403,
  digest_mismatch: 400,
  email_taken: 409,
  feature_off: 403,
  forbidden: 403,
  internal: 500,
  invalid_log_type: 400,
  invalid_rule: 422,
  invalid_workflow: 422,
  job_gone: 410,
  key_reused: 409,
  last_admin: 409,
  length_mismatch: 400,
  length_required: 411,
  list_in_use: 409,
  low_space: 507,
  method_not_allowed: 405,
  missing_scope: 403,
  moved: 308,
  no_receipt: 404,
  no_rule: 404,
  no_upload: 404,
  no_webhook: 400,
  not_analysable: 409,
  not_acceptable: 406,
  not_found: 404,
  note_conflict: 409,
  one_file: 400,
  pack_refused: 400,
  queue_unreachable: 503,
  rate_limited: 429,
  rule_limit: 400,
  self_change: 409,
  too_large: 413,
  too_many: 400,
  unauthenticated: 401,
  unavailable: 503,
  unknown_workflow: 400,
  upload_incomplete: 409,
  upload_missing: 410,
  upload_used: 409,
  search_limit: 409,
  tag_maintained: 409,
  watch_limit: 409,
  weak_password: 400,
  webhook_disabled: 400,
  workflow_mismatch: 400,
} satisfies Record<ErrorCode, number>;

/** One of several reasons of a refusal; `start` and `end` bound it in the text that it is about, in UTF-16 units. */
export interface RefusalReason {
  readonly code: string;
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
}

/** A refusal or failure with a code; anything else thrown is a bug and answers 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Seconds after which to try again, where that differs from the code's usual wait. */
  readonly retryAfter: number | null;
  /** All that is wrong, where that can be several things. */
  readonly reasons: readonly RefusalReason[] | null;

  constructor(
    code: ErrorCode,
    message: string,
    options?: { cause?: unknown; retryAfter?: number; reasons?: readonly RefusalReason[] },
  ) {
    super(message, options);
    this.code = code;
    this.retryAfter = options?.retryAfter ?? null;
    this.reasons = options?.reasons ?? null;
  }
}

/** Missing and invisible look the same to the caller. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what}`);
}
