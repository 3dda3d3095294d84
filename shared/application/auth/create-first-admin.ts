import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { generatePassword } from './generate-password.ts';
import { passwordProblem } from './password-policy.ts';

/** Throws `bad_request` where the administrator that the environment names would be refused. */
export async function checkFirstAdmin({ accounts, deployment }: Pick<Ports, 'accounts' | 'deployment'>): Promise<void> {
  const { firstAdmin } = deployment;
  const problem = firstAdmin && passwordProblem(firstAdmin.password, firstAdmin.email);
  if (problem && !(await accounts.hasActiveAdmin())) throw new AppError('bad_request', `ADMIN_PASSWORD: ${problem}`);
}

/**
 * Creates an administrator when there is none (resolved-platform 14.3): the one that the environment
 * names, or, on a machine of one's own, `admin@localhost` with a generated password, which is
 * returned for the operator to read once. Throws `bad_request` for an unacceptable password.
 */
export async function createFirstAdmin({
  accounts,
  deployment,
  log,
  passwords,
}: Pick<Ports, 'accounts' | 'deployment' | 'log' | 'passwords'>): Promise<{ email: string; password: string } | null> {
  if (await accounts.hasActiveAdmin()) return null;
  const named = deployment.firstAdmin;
  if (!named && !deployment.embedded) {
    log.warn('there is no administrator; set ADMIN_EMAIL and ADMIN_PASSWORD, and start again');
    return null;
  }
  await checkFirstAdmin({ accounts, deployment });
  const login = named ?? { email: 'admin@localhost', password: generatePassword() };
  const passwordHash = await passwords.hash(login.password);
  try {
    await accounts.create({ email: login.email, passwordHash, role: 'admin', displayName: null });
  } catch (error) {
    // Another process that starts at the same time was first.
    if (error instanceof AppError && error.code === 'email_taken' && (await accounts.hasActiveAdmin())) return null;
    throw error;
  }
  log.info('created the first administrator', { email: login.email });
  return named ? null : login;
}
