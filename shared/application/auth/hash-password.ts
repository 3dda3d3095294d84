import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { passwordProblem } from './password-policy.ts';

/** Hashes a new password; throws `weak_password` with the reason. */
export async function hashPassword(
  { passwords }: Pick<Ports, 'passwords'>,
  { password, email }: { password: string; email: string },
): Promise<string> {
  const problem = passwordProblem(password, email);
  if (problem) throw new AppError('weak_password', problem);
  return passwords.hash(password);
}
