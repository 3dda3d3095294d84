import { createHash, randomUUID } from 'node:crypto';

/** All that makes a submission what it is. */
export interface SubmissionParts {
  /** Hexadecimal digits. */
  readonly sha256: string;
  readonly fileName: string;
  readonly workflowId: number;
  readonly logType: string;
  readonly isPrivate: boolean;
  readonly caseId: number | null;
  readonly tags: readonly string[];
}

/**
 * The key of a submission (service 4.1, rule 2): the same for the same file and options in every call,
 * so that a call that was interrupted can be repeated. The service and the account need not be in it,
 * since a service keeps the keys of each account apart. A forced analysis is a new one each time.
 */
export function idempotencyKey(parts: SubmissionParts, force: boolean): string {
  if (force) return `svc-${randomUUID()}`;
  const { sha256, fileName, workflowId, logType, isPrivate, caseId, tags } = parts;
  return keyOf([sha256, fileName, workflowId, logType, isPrivate, caseId, tags.toSorted()]);
}

/** The key of the case that calls with this name make or take. */
export function caseKey(name: string): string {
  return keyOf([name]);
}

function keyOf(parts: readonly unknown[]): string {
  return `svc-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
