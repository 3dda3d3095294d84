import type { ErrorCode } from '@svc/domain';

const advice: Partial<Record<ErrorCode | 'empty', string>> = {
  busy: 'Others are uploading; retry in a moment.',
  empty: 'There is nothing in it to analyse; copy or export the log again.',
  case_not_found: 'Choose another case, then retry.',
  demo_mode: 'Nothing can be submitted here.',
  forbidden: 'Take tags and case off, or ask an administrator for the role member.',
  invalid_log_type: 'Choose another type, then retry.',
  low_space: 'Ask an administrator to make room, then retry.',
  queue_unreachable: 'Retry; the file is not lost.',
  rate_limited: 'Retry in a minute.',
  too_large: 'Split the log, or ask an administrator to raise MAX_UPLOAD_SIZE_MB.',
  unauthenticated: 'Your session has ended; the file stays here. Sign in, then retry.',
  unknown_workflow: 'Reload the page to see the workflows that there are now.',
  workflow_mismatch: 'Choose another type or workflow, then retry.',
};

/** What to do about a refused file; `code` is null when the service did not answer. */
export function adviceFor(code: string | null): string {
  if (code === null) return 'Check that the service can be reached, then retry.';
  return (advice as Readonly<Record<string, string>>)[code] ?? 'Retry, or tell an administrator the reference.';
}
