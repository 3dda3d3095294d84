/** Passwords that everybody tries first. */
export const commonPasswords: ReadonlySet<string> = new Set([
  'changeme',
  'changeme123',
  'password',
  'password1',
  'password123',
  'admin123',
  'administrator',
  '12345678',
  '123456789',
  '1234567890',
  'qwerty123',
  'welcome1',
  'iloveyou',
  'loganalysis',
]);

/** Why a password is refused (resolved-platform 14.1), or null. */
export function passwordProblem(password: string, email: string): string | null {
  if (password.length < 8) return 'The password must have at least 8 characters';
  const plain = password.trim().toLowerCase();
  if (commonPasswords.has(plain)) return 'The password is a common default';
  if (plain.includes(email.trim().toLowerCase())) return 'The password must not contain the account’s address';
  return null;
}
