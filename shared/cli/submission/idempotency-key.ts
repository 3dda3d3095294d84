import { createHash, randomUUID } from 'node:crypto';

/** All that makes a submission what it is. */
export interface SubmissionParts {
  /** Hexadecimal digits. */
  readonly sha256: string;
  readonly fileName: string;
  readonly workflowId: number;
  readonly logType: string;
  readonly isPrivate: boolean;
}

/**
 * The key of a submission (service 4.1, rule 2): the same for the same file and options in every call,
 * so that a call that was interrupted can be repeated. The service and the account need not be in it,
 * since a service keeps the keys of each account apart. A forced analysis is a new one each time.
 */
export function idempotencyKey(parts: SubmissionParts, force: boolean): string {
  if (force) return `svc-${randomUUID()}`;
  const { sha256, fileName, workflowId, logType, isPrivate } = parts;
  const text = JSON.stringify([sha256, fileName, workflowId, logType, isPrivate]);
  return `svc-${createHash('sha256').update(text).digest('hex')}`;
}
