import type { Actor } from '@svc/domain';
import type { AcceptedFile, AcceptPorts } from './accept-file.ts';
import { acceptSubmission, type SubmissionInput } from './accept-submission.ts';

/** Submits one file, spooled or sent to an upload before; visitors without an account may, and theirs is never private. */
export async function uploadFile(ports: AcceptPorts, actor: Actor, input: SubmissionInput): Promise<AcceptedFile> {
  return acceptSubmission(ports, actor, input);
}
