import { AppError, type Actor } from '@svc/domain';
import type { AcceptedFile, AcceptPorts } from './accept-file.ts';
import { acceptSubmission, type SubmissionInput } from './accept-submission.ts';

/** Submits one file, spooled or sent to an upload before, as an account. */
export async function submitJob(ports: AcceptPorts, actor: Actor, input: SubmissionInput): Promise<AcceptedFile> {
  if (actor.kind === 'anonymous') {
    if (input.file) await ports.objects.delete(input.file.key);
    throw new AppError('unauthenticated', 'Sign in to submit through the API');
  }
  return acceptSubmission(ports, actor, input);
}
