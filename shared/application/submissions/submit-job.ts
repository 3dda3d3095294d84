import { AppError, type Actor } from '@svc/domain';
import { acceptFile, type AcceptedFile, type AcceptPorts, type FileInput } from './accept-file.ts';

/** Submits one spooled file as an account. */
export async function submitJob(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<AcceptedFile> {
  if (actor.kind === 'anonymous') {
    await ports.objects.delete(input.file.key);
    throw new AppError('unauthenticated', 'Sign in to submit through the API');
  }
  return acceptFile(ports, actor, input);
}
