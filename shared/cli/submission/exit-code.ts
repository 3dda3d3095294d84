import { RequestError } from '@svc/contracts';
import { severities, type Severity } from '@svc/domain';
import { CredentialsError } from '../service/service-error.ts';
import type { SubmittedFiles } from './submit-all.ts';

/** What `svc submit` exits with beside 0, 2 and those of signals; of several the first here. */
export const exitCodes = {
  credentials: 5,
  connection: 4,
  incomplete: 3,
  findings: 1,
} as const;

/** The exit code for what became of the files. */
export function exitCodeFor(
  { outcomes, stopped }: SubmittedFiles,
  { wait, failOn }: { readonly wait: boolean; readonly failOn: Severity | undefined },
): number {
  if (stopped !== null) return exitCodeOf(stopped);
  const isDone = (status: string): boolean =>
    status === 'completed' || (!wait && !['failed', 'cancelled', 'partial', 'not_submitted'].includes(status));
  if (!outcomes.every(({ status }) => isDone(status))) return exitCodes.incomplete;
  const grave = failOn === undefined ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
  const isGrave = outcomes.some(({ severity_summary: summary }) => grave.some((one) => (summary?.[one] ?? 0) > 0));
  return isGrave ? exitCodes.findings : 0;
}

/** The exit code for what keeps one from submitting anything. */
export function exitCodeOf(error: Error): number {
  if (error instanceof CredentialsError) return exitCodes.credentials;
  const isRefusal = error instanceof RequestError && error.status < 500 && error.status !== 429;
  return isRefusal ? exitCodes.incomplete : exitCodes.connection;
}
